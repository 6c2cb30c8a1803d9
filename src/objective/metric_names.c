/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metric_names.c - metrics by name. */
#include <string.h>

#include "objective/metrics.h"

#define METRIC_NAME(id, name, field, larger, regression) [SDCA_METRIC_##id] = (name),
#define METRIC_LARGER(id, name, field, larger, regression) [SDCA_METRIC_##id] = (larger),
#define METRIC_REGRESSION(id, name, field, larger, regression) \
    [SDCA_METRIC_##id] = (regression),

static const char *const metric_names[]         = { SDCA_METRIC_LIST(METRIC_NAME) };
static const bool        metric_larger[]        = { SDCA_METRIC_LIST(METRIC_LARGER) };
static const bool        metric_of_regression[] = { SDCA_METRIC_LIST(METRIC_REGRESSION) };

sdca_metric sdca_metric_find(const char *name)
{
    int found = 0;

    while (found < SDCA_METRICS && strcmp(metric_names[found], name) != 0) {
        found++;
    }
    return (sdca_metric)found;
}

const char *sdca_metric_name(sdca_metric metric)
{
    return metric_names[metric];
}

bool sdca_metric_larger_is_better(sdca_metric metric)
{
    return metric_larger[metric];
}

bool sdca_metric_is_for_regression(sdca_metric metric)
{
    return metric_of_regression[metric];
}

#define METRIC_VALUE(id, name, field, larger, regression) \
    [SDCA_METRIC_##id] = metrics->field,

double sdca_metric_value(const sdca_metrics *metrics, sdca_metric metric)
{
    const double value[] = { SDCA_METRIC_LIST(METRIC_VALUE) };

    return value[metric];
}
