/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_lane_terms.c - what one row adds to the objectives of several models side by
 * side.
 *
 * The loops over the lanes become vector instructions. */
#define SDCA_VECTOR_LOOPS

#include "objective/model_lane_terms.h"

#include "objective/kernel_dispatch.h"
#include "objective/lane_dispatch.h"

typedef void terms_function(int lanes, double p, lane_terms *at);

sdca_lane_sums sdca_lane_sums_start(const sdca_objective *const *objective,
                                    unsigned                     models)
{
    sdca_lane_sums sums = { .models = models };

    for (int m = 0; m < SDCA_MAX_LANES; m++) {
        if ((models >> m & 1) != 0) {
            sums.p           = objective[m]->parameter;
            sums.positive[m] = objective[m]->one_against_rest - 1;
            sums.held_out[m] = objective[m]->held_out - 1;
            sums.folds       = sums.folds || objective[m]->held_out > 0;
        }
    }
    return sums;
}

SDCA_INLINE unsigned add_terms(terms_function *terms_of, int lanes, sdca_lane_sums *sums,
                               const sdca_lane_term_row *row)
{
    const double   label = row->label, weight = row->weight, fold = row->fold;
    const uint64_t models   = sums->models;
    const bool     in_folds = sums->folds && row->fold >= 0;
    lane_terms     at;
    lane_vector    weights;
    lane_bits      invalid;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double sign = label == sums->positive[m] ? 1.0 : -1.0;

        at.y[m]     = sums->positive[m] < 0.0 ? label : sign;
        at.alpha[m] = row->alpha[m];
        at.z[m]     = row->z[m];
        weights[m]  = (in_folds & (fold == sums->held_out[m])) ? 0.0 : weight;
    }
    terms_of(lanes, sums->p, &at);
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        row_term term     = { at.primal[m], at.conjugate[m], at.gap[m] };
        double   weighted = weights[m] * term.gap;
        bool     valid    = row_term_is_valid(term, at.alpha[m] * at.z[m]);

        sums->losses[m] += weights[m] * term.primal;
        sums->conjugates[m] += weights[m] * term.conjugate;
        sums->gap_terms[m] += term.gap > 0.0 ? weighted : 0.0;
        sums->gap[m] = term.gap;
        weights[m]   = weighted;
        invalid[m]   = valid ? 0 : models & lane_bit[m];
    }
    if (row->gap_term != NULL) {
#pragma omp simd
        for (int m = 0; m < lanes; m++) {
            float old = row->gap_term[m];

            row->gap_term[m] = (models & lane_bit[m]) != 0 ? (float)weights[m] : old;
        }
    }
    return collect_bits(lanes, invalid);
}

#define DEFINE_TERMS(id, lanes, set, attribute)              \
    attribute static unsigned terms_##id##_##lanes##_##set(  \
        sdca_lane_sums *sums, const sdca_lane_term_row *row) \
    {                                                        \
        return add_terms(id##_terms, lanes, sums, row);      \
    }
SDCA_DEFINE_LANE_KERNELS(DEFINE_TERMS)
static sdca_lane_terms_function *const terms_table[][SDCA_LANE_VARIANTS] =
    SDCA_LANE_KERNEL_TABLE(terms);
SDCA_KERNEL_TABLE_IS_COMPLETE(terms_table);

sdca_lane_terms_function *sdca_lane_terms_find(sdca_loss_kind kind, int lanes)
{
    return terms_table[kind][sdca_lane_variant(lanes)];
}
