/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runs.c - a run to report, read from a model, checkpoint or history. */
#include "cli/report/runs.h"

#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/alloc.h"
#include "base/parse_number.h"
#include "cli/report/test_scoring.h"
#include "io/hdf5_checksum.h"
#include "io/hdf5_file.h"
#include "model/history.h"

enum { MAX_FIELDS = 64, SHOWN_BYTES = 40 /* bytes of a wrong field that are shown */ };

/* The state of reading a history. */
typedef struct history_csv {
    const char *path;
    FILE       *file;
    char       *line;
    size_t      capacity;
    long long   line_number;             /* from 1 */
    int         fields;                  /* per line */
    int         field_index[MAX_FIELDS]; /* the column of each field, or -1 */
} history_csv;

/* A record whose values are all missing. */
static const sdca_history_record empty_record = {
#define SET_NAN(field) .field = NAN,
    SDCA_HISTORY_FIELD_LIST(SET_NAN)
#undef SET_NAN
};

/* The columns of an evaluation: those of its record, and the best dual so far. */
#define NAME(field) #field,
static const char *const evaluation_fields[] = { SDCA_HISTORY_FIELD_LIST(
    NAME) "best_dual" };
#undef NAME
static const sdca_record_schema evaluation_columns = { "history",
                                                       SDCA_HISTORY_FIELD_COUNT + 1,
                                                       evaluation_fields };

static int find_column(const char *name, size_t length)
{
    return sdca_record_schema_find(&sdca_history_schema, name, length);
}

/* The next line without its end. False at the end of the file. */
static bool next_line(history_csv *in)
{
    ssize_t length = getline(&in->line, &in->capacity, in->file);

    if (length < 0) {
        return false;
    }
    in->line_number++;
    in->line[strcspn(in->line, "\r\n")] = '\0';
    return true;
}

/* Parse the names of the fields. Unknown columns are skipped; the required ones must
 * exist. */
static sdca_status read_header(history_csv *in)
{
    static const char *const required[] = { "epoch", "seconds", "primal", "dual", "gap" };
    bool                     found[SDCA_HISTORY_FIELD_COUNT] = { false };

    for (const char *at = in->line; in->fields < MAX_FIELDS; at++) {
        size_t length = strcspn(at, ",");
        int    column = find_column(at, length);

        in->field_index[in->fields++] = column;
        if (column >= 0) {
            found[column] = true;
        }
        if (length == 5 && memcmp(at, "class", length) == 0) {
            return SDCA_FAIL(SDCA_DATA,
                             "'%s' is a history of several classes: report their model "
                             "instead",
                             in->path);
        }
        at += length;
        if (*at == '\0') {
            break;
        }
    }
    for (size_t k = 0; k < sizeof required / sizeof required[0]; k++) {
        if (!found[find_column(required[k], strlen(required[k]))]) {
            return SDCA_FAIL(
                SDCA_DATA,
                "'%s' is neither a model nor a history: its first line has no "
                "column '%s'",
                in->path, required[k]);
        }
    }
    return SDCA_OK;
}

/* One field: a number, or empty for a missing value. */
static sdca_status read_field(const history_csv *in, const char *begin, size_t length,
                              double *out)
{
    const char *end = begin + length;

    if (length == 0 || sdca_parse_is_nonfinite(begin, end)) {
        return SDCA_OK;
    }
    if (sdca_parse_double(begin, end, out) != end) {
        return SDCA_FAIL(SDCA_DATA, "'%s', line %lld: '%.*s' is not a number", in->path,
                         in->line_number,
                         length < SHOWN_BYTES ? (int)length : SHOWN_BYTES, begin);
    }
    return SDCA_OK;
}

static sdca_status read_record(const history_csv *in, sdca_history_record *out)
{
    const char *at     = in->line;
    int         fields = 0;
    sdca_status status = SDCA_OK;

    *out = empty_record;
    do {
        size_t length = strcspn(at, ",");

        if (fields < in->fields && in->field_index[fields] >= 0) {
            SDCA_TRY(read_field(in, at, length, (double *)out + in->field_index[fields]));
        }
        fields++;
        at += length;
    } while (*at++ == ',');
    if (fields != in->fields) {
        status = SDCA_FAIL(SDCA_DATA, "'%s', line %lld: %d fields, but %d columns",
                           in->path, in->line_number, fields, in->fields);
    }

done:
    return status;
}

static sdca_status read_csv(history_csv *in, sdca_history *history)
{
    sdca_status         status = SDCA_OK;
    sdca_history_record record;

    if (next_line(in)) {
        SDCA_TRY(read_header(in));
    }
    while (next_line(in)) {
        if (in->line[0] != '\0') {
            SDCA_TRY(read_record(in, &record));
            SDCA_TRY(sdca_history_append(history, &record));
        }
    }
    if (ferror(in->file) != 0) {
        status = SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", in->path, strerror(errno));
    } else if (history->count == 0) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' is a history without rows", in->path);
    }

done:
    return status;
}

/* HDF5 has a signature, at the start of the file or after the checksum block; anything
 * else is read as text. Rewinds the file. */
static sdca_status detect_hdf5(const char *path, FILE *file, bool *hdf5)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    const size_t      length      = sizeof signature - 1;
    char              bytes[SDCA_CHECKSUM_BLOCK_SIZE + sizeof signature - 1];
    size_t            count = 0;

    errno = 0;
    count = fread(bytes, 1, sizeof bytes, file);
    if (count == 0) {
        return errno == 0 ? SDCA_FAIL(SDCA_DATA, "'%s' is empty", path)
                          : SDCA_FAIL(SDCA_MISSING, "cannot read '%s': %s", path,
                                      strerror(errno));
    }
    *hdf5 = (count >= length && memcmp(bytes, signature, length) == 0) ||
            (count == sizeof bytes &&
             memcmp(bytes + SDCA_CHECKSUM_BLOCK_SIZE, signature, length) == 0);
    rewind(file);
    return SDCA_OK;
}

/* The certificate with the smallest gap. */
static sdca_certificate best_certificate(const sdca_history *history)
{
    sdca_certificate best = { .primal = NAN, .dual = NAN, .gap = NAN };

    for (int64_t k = 0; k < history->count; k++) {
        const sdca_history_record *record = &history->records[k];

        if (!isnan(record->gap) && !(record->gap >= best.gap)) {
            best = (sdca_certificate){ .primal = record->primal,
                                       .dual   = record->dual,
                                       .gap    = record->gap };
        }
    }
    return best;
}

/* Every finite dual value is a lower bound of P, hence the best one so far is; so is 0,
 * the dual value of alpha = 0. The gap is that to the best dual so far, which a method
 * whose dual values are not monotonic, such as Newton's, needs for a readable curve. */
static sdca_status compute_best_duals(report_run *run)
{
    const sdca_history *history = &run->model.history;
    int                 width   = evaluation_columns.count;
    double              best    = 0.0;

    run->evaluation =
        sdca_alloc_array((size_t)history->count, (size_t)width * sizeof *run->evaluation);
    if (run->evaluation == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld evaluations",
                         (long long)history->count);
    }
    for (int64_t k = 0; k < history->count; k++) {
        const sdca_history_record *record = &history->records[k];
        double                    *to     = run->evaluation + k * width;
        bool                       known  = isfinite(record->dual);
        double                     gap;

        best = known ? fmax(best, record->dual) : best;
        gap  = record->primal - best;
        memcpy(to, record, sizeof *record);
        to[width - 1] = known ? best : NAN;
        if (best > record->dual && gap > 0.0 && gap < record->gap) {
            to[offsetof(sdca_history_record, gap) / sizeof gap] = gap;
        }
    }
    return SDCA_OK;
}

/* Class k as a run. */
static sdca_status make_class(const report_run *run, int k, report_run *out)
{
    sdca_status status = SDCA_OK;
    char       *label  = malloc(SDCA_CLASS_TEXT_SIZE);

    *out =
        (report_run){ .path   = label,
                      .number = (run->number + 1) * 1000 + k, /* unlike other numbers */
                      .model  = { .certificate = run->model.by_class[k].certificate,
                                  .target      = run->model.target,
                                  .history     = run->model.by_class[k].history } };
    if (label == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", run->class_count);
    }
    sdca_classes_format(&run->model.labels, k, label);
    SDCA_TRY(report_largest_weights_find(&run->model, run->path, k, &out->largest));
    SDCA_TRY(compute_best_duals(out));

done:
    return status;
}

static sdca_status make_classes(report_run *run)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(&run->model);
    int         count  = parts < REPORT_MAX_CLASSES ? parts : REPORT_MAX_CLASSES;

    run->classes = sdca_alloc_zeroed((size_t)count, sizeof *run->classes);
    if (run->classes == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", count);
    }
    run->class_count = count;
    for (int k = 0; k < count; k++) {
        SDCA_TRY(make_class(run, k, &run->classes[k]));
    }

done:
    return status;
}

static sdca_status read_selection(const char *path, report_run *run)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;

    SDCA_TRY(sdca_hdf5_open(MPI_COMM_NULL, path, &hdf5));
    SDCA_TRY(sdca_selection_read(hdf5, &run->selection));

done:
    sdca_hdf5_close(hdf5);
    return status;
}

static sdca_status read_model(const char *path, report_run *run)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_model_read_metadata(MPI_COMM_NULL, path, &run->model));
    SDCA_TRY(read_selection(path, run));
    SDCA_TRY(run->model.by_class != NULL
                 ? make_classes(run)
                 : report_largest_weights_find(&run->model, path, 0, &run->largest));

done:
    return status;
}

sdca_status report_run_read(const char *path, int k, report_run *out)
{
    sdca_status status = SDCA_OK;
    history_csv in     = { .path = path, .file = fopen(path, "rb") };
    report_run  run    = { .path = path, .number = k };
    bool        hdf5   = false;

    if (in.file == NULL) {
        return SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(errno));
    }
    SDCA_TRY(detect_hdf5(path, in.file, &hdf5));
    SDCA_TRY(hdf5 ? read_model(path, &run) : read_csv(&in, &run.model.history));
    run.has_model = hdf5;
    if (!run.has_model) {
        run.model.certificate = best_certificate(&run.model.history);
    }
    SDCA_TRY(compute_best_duals(&run));
    *out = run;
    run  = (report_run){ 0 }; /* moved to the caller */

done:
    report_run_free(&run);
    free(in.line);
    fclose(in.file);
    return status;
}

void report_run_free(report_run *run)
{
    for (int k = 0; k < run->class_count; k++) {
        free((char *)run->classes[k].path);
        free(run->classes[k].evaluation);
    }
    free(run->classes);
    run->class_count = 0;
    run->classes     = NULL;
    sdca_model_clear(&run->model);
    sdca_selection_free(&run->selection);
    report_test_results_free(run->test);
    run->test = NULL;
    free(run->evaluation);
    run->evaluation = NULL;
}

const sdca_history_record *report_run_last_record(const report_run *run)
{
    const sdca_history *history = &run->model.history;

    return history->count > 0 ? &history->records[history->count - 1] : NULL;
}

double report_run_relative_gap(const report_run *run)
{
    return sdca_model_relative_gap(&run->model);
}

double report_run_target_gap(const report_run *run)
{
    double gap = sdca_target_gap(&run->model.target, run->model.certificate.primal);

    return gap > 0.0 && isfinite(gap) ? gap : NAN;
}

double report_run_epochs(const report_run *run)
{
    const sdca_history_record *last   = report_run_last_record(run);
    double                     epochs = 0.0;

    if (run->class_count == 0) {
        return last != NULL ? last->epoch : NAN;
    }
    for (int k = 0; k < sdca_model_parts(&run->model); k++) {
        epochs += run->model.by_class[k].epochs;
    }
    return epochs;
}

bool report_run_is_regression(const report_run *run)
{
    return run->has_model && !run->model.objective.loss->classification;
}

double report_run_test_error(const report_run *run)
{
    const sdca_history_record *last = report_run_last_record(run);

    return run->model.has_test_error ? run->model.test_error
           : last != NULL            ? last->test_error
                                     : NAN;
}

report_series report_run_evaluations(const report_run *run)
{
    return (report_series){ &evaluation_columns, run->evaluation,
                            run->model.history.count };
}

report_series report_run_rounds(const report_run *run)
{
    const sdca_round_log *rounds = &run->model.history.round_log;

    return (report_series){ &sdca_round_log_schema, (const double *)rounds->entries,
                            rounds->count };
}
