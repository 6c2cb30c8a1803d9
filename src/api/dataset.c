/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset.c - data sets from files and from memory, and their sizes. */
#include "data/dataset.h"

#include "data/class_weights.h"
#include "data/dataset_from_memory.h"
#include "data/dataset_reader.h"
#include "model/model.h"

sdca_read_options sdca_read_options_default(void)
{
    return (sdca_read_options){ .task = SDCA_TASK_CLASSIFICATION };
}

/* The internal options that public ones, or NULL, stand for. */
static sdca_dataset_options convert_options(const sdca_read_options *options)
{
    const sdca_read_options how =
        options != NULL ? *options : sdca_read_options_default();
    sdca_dataset_options out = { .label_column  = how.label_column,
                                 .weight_column = how.weight_column,
                                 .unweighted    = how.unweighted,
                                 .follow_links  = how.follow_links };

    if (how.model != NULL) {
        out.classes         = &how.model->labels;
        out.normalize       = how.model->normalized;
        out.limit_columns   = true;
        out.max_columns     = how.model->columns;
        out.compact_columns = true;
    } else if (how.like != NULL) {
        out.classes    = &how.like->classes;
        out.normalize  = how.like->normalized;
        out.columns_of = how.like;
    } else {
        out.task            = how.task;
        out.positive        = how.positive;
        out.normalize       = how.normalize;
        out.bias            = how.bias;
        out.intercept       = how.intercept;
        out.standardize     = how.standardize;
        out.class_weight    = how.class_weight;
        out.shuffle         = true; /* neighbours become a random sample */
        out.compact_columns = true;
    }
    return out;
}

static const double *weights_of(const sdca_read_options *options)
{
    return options != NULL ? options->weights : NULL;
}

/* Class weights are those of a training set for classification. */
static sdca_status check_class_weight(const sdca_read_options *options)
{
    if (options == NULL || options->class_weight == NULL || options->model != NULL ||
        options->like != NULL) {
        return SDCA_OK;
    }
    return options->task == SDCA_TASK_CLASSIFICATION
               ? sdca_class_weights_check(options->class_weight)
               : SDCA_FAIL(SDCA_USAGE, "class weights are for classification");
}

/* The bias is stored in float32, and has to stay away from 0 and infinity there. */
static sdca_status check_options(const sdca_read_options *options)
{
    double      bias   = options != NULL ? options->bias : 0.0;
    sdca_status status = check_class_weight(options);

    if (status != SDCA_OK) {
        return status;
    }
    if (options != NULL && options->model != NULL && options->like != NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "a data set is made for a model or like another data "
                         "set, not both");
    }
    if (options != NULL && options->intercept && bias != 0.0) {
        return SDCA_FAIL(SDCA_USAGE, "an intercept without penalty excludes a bias");
    }
    return bias == 0.0 || (bias >= 1e-6 && bias <= 1e6)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE, "the bias is 0 or lies between 1e-6 and 1e6");
}

sdca_status sdca_dataset_read(MPI_Comm comm, const char *path,
                              const sdca_read_options *options, sdca_dataset **out)
{
    sdca_dataset_options how    = convert_options(options);
    sdca_status          status = check_options(options);

    return status == SDCA_OK ? sdca_dataset_reader_read(comm, path, &how, out) : status;
}

sdca_status sdca_dataset_from_csr(MPI_Comm comm, const sdca_csr_view *x,
                                  const double *labels, const sdca_read_options *options,
                                  sdca_dataset **out)
{
    sdca_dataset_options how    = convert_options(options);
    sdca_status          status = check_options(options);

    return status == SDCA_OK ? sdca_dataset_from_memory_csr(
                                   comm, x, labels, weights_of(options), &how, out)
                             : status;
}

sdca_status sdca_dataset_from_dense(MPI_Comm comm, const sdca_dense_view *x,
                                    const double            *labels,
                                    const sdca_read_options *options, sdca_dataset **out)
{
    sdca_dataset_options how    = convert_options(options);
    sdca_status          status = check_options(options);

    return status == SDCA_OK ? sdca_dataset_from_memory_dense(
                                   comm, x, labels, weights_of(options), &how, out)
                             : status;
}

int64_t sdca_dataset_rows(const sdca_dataset *data)
{
    return data->rows;
}

int64_t sdca_dataset_nonzeros(const sdca_dataset *data)
{
    return data->nonzeros;
}

int32_t sdca_dataset_columns(const sdca_dataset *data)
{
    return sdca_dataset_feature_count(data);
}

double sdca_dataset_total_weight(const sdca_dataset *data)
{
    return data->total_weight;
}

int64_t sdca_dataset_first_row(const sdca_dataset *data)
{
    return data->local_range.first;
}

int64_t sdca_dataset_local_rows(const sdca_dataset *data)
{
    return data->local_range.count;
}
