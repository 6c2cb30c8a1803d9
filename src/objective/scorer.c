/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scorer.c - the scores w.x + bias of rows, of one model or of several at once. */
#include "objective/scorer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

sdca_status sdca_scorer_create(int models, int32_t columns, sdca_scorer *out)
{
    sdca_scorer scorer = { .models = models, .columns = columns };

    scorer.w     = sdca_alloc_zeroed((size_t)columns, (size_t)models * sizeof *scorer.w);
    scorer.bias  = sdca_alloc_zeroed((size_t)models, sizeof *scorer.bias);
    scorer.score = sdca_alloc_zeroed((size_t)models, sizeof *scorer.score);
    if (scorer.w == NULL || scorer.bias == NULL || scorer.score == NULL) {
        sdca_scorer_free(&scorer);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld weights",
                         (long long)columns * models);
    }
    *out = scorer;
    return SDCA_OK;
}

void sdca_scorer_free(sdca_scorer *scorer)
{
    free(scorer->w);
    free(scorer->bias);
    free(scorer->score);
    *scorer = (sdca_scorer){ 0 };
}

void sdca_scorer_set(sdca_scorer *scorer, int k, const double *w, double bias)
{
    sdca_scorer_set_scaled(scorer, k, w, bias, NULL);
}

void sdca_scorer_set_scaled(sdca_scorer *scorer, int k, const double *w, double bias,
                            const double *scale)
{
    for (int32_t j = 0; j < scorer->columns; j++) {
        scorer->w[(size_t)j * (size_t)scorer->models + (size_t)k] =
            scale != NULL ? w[j] * scale[j] : w[j];
    }
    scorer->bias[k] = bias;
}

const double *sdca_scorer_row(const sdca_scorer *scorer, const sdca_rows *x, uint32_t i)
{
    size_t  models = (size_t)scorer->models;
    double *score  = scorer->score;

    if (models == 1) {
        score[0] = sdca_rows_dot(x, i, scorer->w) + scorer->bias[0];
        return score;
    }
    memcpy(score, scorer->bias, models * sizeof *score);
    for (int64_t at = x->row[i].start; at < x->row[i + 1].start; at++) {
        const double *w     = scorer->w + (size_t)sdca_rows_column(x, at) * models;
        double        value = sdca_rows_value(x, at);

        for (size_t k = 0; k < models; k++) {
            score[k] += value * w[k];
        }
    }
    return score;
}

int sdca_scorer_greatest(int models, const double *score)
{
    int greatest = 0;

    for (int k = 1; k < models; k++) {
        greatest = score[k] > score[greatest] ? k : greatest;
    }
    return greatest;
}

double sdca_scorer_predict(const sdca_classes *labels, int models, const double *score)
{
    return models == 1 ? sdca_classes_predict(labels, score[0])
                       : labels->value[sdca_scorer_greatest(models, score)];
}
