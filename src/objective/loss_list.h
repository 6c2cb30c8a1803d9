/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_list.h - the list of losses. One entry here and its textbook formulas in
 * tests/objective are all that a loss with a quadratic conjugate needs, if its dual
 * interval is mirrored by the sign of y (classification) or symmetric (regression).
 *
 * SDCA_LOSS_LIST(X, with) is X(with, id, family, name, coefficients, members...) for
 * each loss:
 *
 *     id            in identifiers: SDCA_LOSS_id, id_primal(), id_step(), ...
 *     family        the header with its formulas: quadratic (loss_quadratic.h), where the
 *                   coefficients say everything, or the loss's own (loss_logistic.h)
 *     name          in options, messages and files
 *     coefficients  members of sdca_loss_coefficients; they may depend on p, the
 *                   parameter of the loss; a member that is left out is 0
 *     members       of sdca_loss, where not 0, false or NULL
 *
 * Tables by loss are made from this list, so that each has an entry for every loss.
 * Macros for X take (with, id, ...) and name no more columns than they use. */
#ifndef SDCA_OBJECTIVE_LOSS_LIST_H
#define SDCA_OBJECTIVE_LOSS_LIST_H

/* clang-format off */
#define SDCA_LOSS_LIST(X, with)                                                          \
    X(with, hinge, quadratic, "hinge", (.high = 1.0),                                    \
      .classification   = true,                                                          \
      .liblinear_solver = "L2R_L1LOSS_SVC_DUAL",                                         \
      .theorem_1_width  = 1.0,                                                           \
      .theorem_5        = true,                                                          \
      .newton_rounds    = { .after_sample = 7.0, .without_sample = 10.0,                 \
                            .per_decade = 1.5 },                                         \
      .sdca_epochs      = 5.0)                                                           \
    X(with, smooth_hinge, quadratic, "smooth-hinge", (.c = p, .high = 1.0),              \
      .classification   = true,                                                          \
      .parameter        = "gamma",                                                       \
      .parameter_option = { .argument = "G", .initial = 1.0,                             \
                            .least = 1e-100, .greatest = 1e100,                          \
                            .help = "smoothing parameter of smooth-hinge" },             \
      .liblinear_solver = "L2R_L1LOSS_SVC_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 5.0, .without_sample = 8.0,                  \
                            .per_decade = 1.5 },                                         \
      .sdca_epochs      = 3.0)                                                           \
    X(with, squared_hinge, quadratic, "squared-hinge", (.c = 0.5, .high = INFINITY),     \
      .classification   = true,                                                          \
      .liblinear_solver = "L2R_L2LOSS_SVC_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 3.0, .without_sample = 6.0,                  \
                            .per_decade = 0.2 },                                         \
      .sdca_epochs      = 8.0)                                                           \
    X(with, logistic, logistic, "logistic", (.c = 4.0, .high = 1.0),                     \
      .classification   = true,                                                          \
      .log_odds         = true,                                                          \
      .approximate_step = true,                                                          \
      .liblinear_solver = "L2R_LR_DUAL",                                                 \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 3.0, .without_sample = 6.0,                  \
                            .per_decade = 0.2 },                                         \
      .newton_overshoots = true,                                                         \
      .sdca_epochs      = 1.3,                                                           \
      .extra_nanoseconds = { .sdca = 60.0, .newton = 30.0 })                             \
    X(with, squared, quadratic, "squared",                                               \
      (.c = 0.5, .low = -INFINITY, .high = INFINITY),                                    \
      .liblinear_solver = "L2R_L1LOSS_SVR_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 1.0, .without_sample = 1.0 },                \
      .newton_is_exact  = true,                                                          \
      .sdca_epochs      = 8.0)                                                           \
    X(with, absolute, quadratic, "absolute", (.low = -1.0, .high = 1.0),                 \
      .liblinear_solver = "L2R_L1LOSS_SVR_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .theorem_5        = true,                                                          \
      .newton_rounds    = { .after_sample = 8.0, .without_sample = 12.0,                 \
                            .per_decade = 1.5 },                                         \
      .sdca_epochs      = 3.0)                                                           \
    X(with, epsilon_insensitive, quadratic, "epsilon-insensitive",                       \
      (.e = p, .low = -1.0, .high = 1.0),                                                \
      .parameter        = "epsilon",                                                     \
      .parameter_option = { .argument = "E", .initial = 0.1,                             \
                            .least = 0.0, .greatest = 1e100,                             \
                            .help = "tolerance of epsilon-insensitive" },                \
      .liblinear_solver = "L2R_L1LOSS_SVR_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 8.0, .without_sample = 12.0,                 \
                            .per_decade = 1.5 },                                         \
      .sdca_epochs      = 3.0)                                                           \
    X(with, huber, quadratic, "huber", (.c = 1.0, .low = -p, .high = p),                 \
      .parameter        = "delta",                                                       \
      .parameter_option = { .argument = "D", .initial = 1.0,                             \
                            .least = 1e-100, .greatest = 1e100,                          \
                            .help = "residual beyond which huber is linear" },           \
      .liblinear_solver = "L2R_L1LOSS_SVR_DUAL",                                         \
      .theorem_1_width  = 2.0,                                                           \
      .newton_rounds    = { .after_sample = 5.0, .without_sample = 8.0,                  \
                            .per_decade = 1.5 },                                         \
      .sdca_epochs      = 3.0)
/* clang-format on */

#endif
