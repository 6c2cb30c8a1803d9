/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fields.c - the fields of a checkpoint: what of a run is written, and read again. */
#include "fields.h"

#include <math.h>

static void move_certificate(sdca_image *image, sdca_certificate *certificate)
{
    sdca_image_number(image, "primal", &certificate->primal);
    sdca_image_number(image, "dual", &certificate->dual);
    sdca_image_number(image, "gap", &certificate->gap);
}

/* What was read must be an iterate: alpha feasible, w and its square finite. */
static void check_iterate(const sdca_run *r, sdca_image *image,
                          const sdca_iterate *iterate, const char *alpha_name,
                          const char *w_name)
{
    bool feasible = true, finite = true;

    if (image->writes || image->status != SDCA_OK) {
        return;
    }
    for (uint32_t i = 0; i < r->data->x.count; i++) {
        sdca_interval allowed = r->problem->loss->feasible(r->data->x.row[i].y);
        double        alpha   = iterate->alpha[i];

        feasible =
            feasible && isfinite(alpha) && alpha >= allowed.low && alpha <= allowed.high;
    }
    for (int32_t j = 0; j < r->data->columns; j++) {
        finite = finite && isfinite(iterate->w[j] * iterate->w[j]);
    }
    if (!feasible || !finite) {
        sdca_image_refuse(image, feasible ? w_name : alpha_name);
    }
}

void sdca_fields_state(sdca_run *r, sdca_image *image, int64_t *solver)
{
    sdca_iterate *iterate = r->state;

    sdca_image_whole(image, "round", &iterate->round);
    sdca_image_whole(image, "steps", &iterate->steps);
    sdca_image_number(image, "seconds", &r->clock);
    sdca_image_whole(image, "solver", solver);
    sdca_image_by_row(image, "alpha", SDCA_FLOAT64, iterate->alpha);
    if (!image->writes) { /* it stands where a model's does */
        sdca_image_by_column(image, "w", iterate->w);
    }
    check_iterate(r, image, iterate, "alpha", "w");
}

void sdca_fields_sgd(sdca_run *r, sdca_image *image)
{
    int64_t place = r->sgd.order.position;

    sdca_image_group(image, "sgd");
    sdca_image_whole(image, "t", &r->sgd.t);
    sdca_image_whole(image, "sweep", &r->sgd.order.sweep);
    sdca_image_whole(image, "place", &place);
    sdca_image_by_column(image, "sgd/v", r->sgd.v);
    if (!image->writes &&
        !sdca_row_order_resume(&r->sgd.order, r->sgd.order.sweep, place, NULL)) {
        sdca_image_refuse(image, "sgd/place");
    }
}

void sdca_fields_newton(sdca_run *r, sdca_image *image)
{
    sdca_newton *newton  = &r->newton;
    int64_t      weighed = newton->has_system || newton->system_resumed;

    sdca_image_group(image, "newton");
    sdca_image_number(image, "width", &newton->rows.smoothing_width);
    sdca_image_number(image, "widest", &newton->rows.initial_width);
    sdca_image_number(image, "best", &newton->best_gap);
    sdca_image_whole(image, "since", &newton->rounds_since_best);
    sdca_image_number(image, "decrease", &newton->predicted_decrease);
    sdca_image_number(image, "former", &newton->previous_decrease);
    sdca_image_whole(image, "bytes", &newton->bytes);
    sdca_image_whole(image, "weighed", &weighed);
    move_certificate(image, &newton->certificate);
    if (!image->writes) {
        newton->has_system = weighed != 0;
        sdca_newton_resume(r->problem, r->data, r->state, newton);
    }
}

bool sdca_fields_kept(sdca_run *r, sdca_image *image)
{
    sdca_keep *keep = &r->keep;
    int64_t    kind = keep->kind, from = keep->from, drawn = keep->drawn;

    sdca_image_group(image, "kept");
    sdca_image_whole(image, "kind", &kind);
    sdca_image_whole(image, "from", &from);
    sdca_image_whole(image, "drawn", &drawn);
    if (kind != (int64_t)keep->kind ||
        (kind == SDCA_KEEP_AVERAGE && from != keep->from) ||
        (kind == SDCA_KEEP_RANDOM && drawn != keep->drawn)) {
        return false;
    }
    move_certificate(image, &keep->best);
    sdca_image_whole(image, "improved", &keep->improved);
    if (kind == SDCA_KEEP_AVERAGE) {
        sdca_image_by_row(image, "kept/sum", SDCA_FLOAT64, keep->average.sum);
        sdca_image_by_row(image, "kept/since", SDCA_INT64, keep->average.next);
    } else if (kind != SDCA_KEEP_LAST) {
        sdca_image_by_row(image, "kept/alpha", SDCA_FLOAT64, keep->kept.alpha);
        sdca_image_by_column(image, "kept/w", keep->kept.w);
        check_iterate(r, image, &keep->kept, "kept/alpha", "kept/w");
    }
    keep->owed = keep->owed && image->writes;
    return true;
}

/* With another target it is time to look, whatever the plan was. */
static void move_target(sdca_run *r, sdca_image *image)
{
    double gap = r->plan->gap, rel_gap = r->plan->rel_gap;

    sdca_image_number(image, "target", &gap);
    sdca_image_number(image, "relative-target", &rel_gap);
    if (gap != r->plan->gap || rel_gap != r->plan->rel_gap) {
        r->look    = 0;
        r->settles = false;
    }
}

void sdca_fields_controllers(sdca_run *r, sdca_image *image)
{
    sdca_aggregation  *aggregate = &r->aggregate;
    sdca_round_length *pace      = &r->pace;

    sdca_image_group(image, "controller");
    sdca_image_number(image, "sigma-across", &aggregate->sigma.orthogonal);
    sdca_image_number(image, "sigma-along", &aggregate->sigma.mean_direction);
    sdca_image_number(image, "sigma", &r->local.sigma.orthogonal);
    sdca_image_number(image, "eta", &aggregate->eta);
    sdca_image_number(image, "tight", &aggregate->tight_sigma);
    sdca_image_number(image, "local-steps", &pace->fraction);
    sdca_image_number(image, "ahead", &r->ahead);
    sdca_image_number(image, "exchange", &pace->exchange_seconds);
    sdca_image_number(image, "pass", &pace->pass_seconds);
    sdca_image_number(image, "costs", &pace->lost_progress);
    sdca_image_whole(image, "rounds", &pace->rounds_since_change);
    move_certificate(image, &r->now);
    sdca_image_number(image, "rounding", &r->rounding);
    sdca_image_whole(image, "evaluated", &r->evaluated);
    sdca_image_whole(image, "due", &r->due);
    sdca_image_number(image, "highest", &r->highest);
    sdca_image_whole(image, "risen", &r->risen);
    sdca_image_number(image, "seen-primal", &r->primal);
    sdca_image_number(image, "seen-gap", &r->forecast.gap);
    sdca_image_number(image, "seen-epoch", &r->forecast.epoch);
    sdca_image_number(image, "rate", &r->forecast.rate);
    sdca_image_whole(image, "look", &r->look);
    sdca_image_flag(image, "settles", &r->settles);
    sdca_image_number(image, "within", &r->within);
    move_target(r, image);
}

static void move_whole_by_rank(sdca_image *image, const char *name, int64_t *x)
{
    double number = (double)*x;

    sdca_image_by_rank(image, name, &number);
    if (fabs(number) <= 9007199254740992.0) { /* 2^53 */
        *x = (int64_t)number;
    } else {
        sdca_image_refuse(image, name);
    }
}

void sdca_fields_order(sdca_run *r, sdca_image *image, uint8_t *mark)
{
    sdca_shrinking *rest  = &r->local.shrinking;
    sdca_row_order *order = &r->local.order;
    int64_t         place = order->position;

    sdca_image_group(image, "ranks");
    move_whole_by_rank(image, "ranks/made", &r->made);
    move_whole_by_rank(image, "ranks/bytes", &r->aggregate.allreduce.bytes_sent);
    move_whole_by_rank(image, "ranks/sweep", &order->sweep);
    move_whole_by_rank(image, "ranks/place", &place);
    if (r->rests) {
        sdca_image_by_rank(image, "ranks/threshold", &rest->threshold);
        sdca_image_by_rank(image, "ranks/sum", &rest->term_sum);
        sdca_image_by_rank(image, "ranks/mean", &rest->mean_term);
        sdca_image_by_rank(image, "ranks/longest", &rest->max_streak);
        sdca_image_group(image, "rows");
        sdca_image_by_row(image, "rows/term", SDCA_FLOAT32, rest->gap_term);
        if (image->writes) {
            sdca_row_order_mark_active(order, mark);
            for (uint32_t i = 0; i < rest->rows; i++) {
                mark[i] |= rest->streak[i];
            }
        }
        sdca_image_by_row(image, "rows/mark", SDCA_UINT8, mark);
    }
    if (image->writes || image->status != SDCA_OK) {
        return;
    }
    for (uint32_t i = 0; i < rest->rows; i++) {
        rest->streak[i] = mark[i] & 0x7f;
        mark[i] &= 0x80;
        if (rest->streak[i] > SDCA_SHRINKING_MAX_STREAK) { /* it would never be due */
            sdca_image_refuse(image, "rows/mark");
        }
    }
    if (!sdca_row_order_resume(order, order->sweep, place, r->rests ? mark : NULL)) {
        sdca_image_refuse(image, "ranks/place");
    }
}
