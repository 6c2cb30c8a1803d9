/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels_encode.c - the labels of a data set as classes found in it, or given. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/dataset.h"
#include "data/label_counts.h"
#include "data/label_match.h"
#include "data/labels.h"
#include "mpi/comm.h"

/* The different labels of all ranks. Collective. */
static sdca_status find_labels(MPI_Comm comm, const sdca_dataset *draft,
                               sdca_label_counts *all)
{
    sdca_status       status = SDCA_OK;
    sdca_label_counts mine   = { 0 };

    for (uint32_t i = 0; status == SDCA_OK && i < draft->x.count; i++) {
        status = sdca_label_counts_add(&mine, draft->x.row[i].y);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    SDCA_TRY(sdca_label_counts_unite(comm, &mine, all));

done:
    sdca_label_counts_free(&mine);
    return status;
}

static sdca_status check_labels(const sdca_dataset *draft, const char *name,
                                const sdca_label_counts *all)
{
    char why[SDCA_MESSAGE_SIZE];

    if (sdca_label_counts_check(all) == SDCA_OK) {
        return SDCA_OK;
    }
    memcpy(why, sdca_status_message(), sizeof why);
    return SDCA_FAIL(SDCA_DATA, "'%s': %s%s", name, why,
                     draft->class_names.count > 0
                         ? ""
                         : ": choose a loss for regression, as in --loss squared");
}

/* The classes of these labels. Names make their values 0 .. K-1. */
static sdca_status make_classes(const sdca_string_list  *names,
                                const sdca_label_counts *all, sdca_classes *out)
{
    const sdca_classes found  = { .count = all->count, .value = all->value };
    sdca_status        status = SDCA_OK;

    SDCA_TRY(sdca_classes_copy(&found, out));
    for (int k = 0; names->count > 0 && k < out->count; k++) {
        const char *name = names->text[(int64_t)out->value[k]];

        SDCA_TRY(sdca_string_list_append(&out->names, name, strlen(name)));
        out->value[k] = k;
    }

done:
    return status;
}

/* With two classes, the second becomes the first. */
static void swap_classes(sdca_classes *classes)
{
    if (classes->names.count > 0) { /* the values stay 0 and 1 */
        char *first = classes->names.text[0];

        classes->names.text[0] = classes->names.text[1];
        classes->names.text[1] = first;
    } else {
        double first = classes->value[0];

        classes->value[0] = classes->value[1];
        classes->value[1] = first;
    }
}

/* Replace classes by class k and the rest of them. */
static sdca_status make_one_and_rest(sdca_classes *classes, int k)
{
    sdca_status  status = SDCA_OK;
    sdca_classes two    = { 0 };
    char         number[32], *rest = NULL;
    const char  *name = sdca_classes_name(classes, k);

    if (name == NULL) {
        snprintf(number, sizeof number, "%.15g", classes->value[k]);
        if (sdca_label_match_number(number) != classes->value[k]) {
            snprintf(number, sizeof number, "%.17g", classes->value[k]);
        }
        name = number;
    }
    rest = sdca_alloc_array(strlen(SDCA_REST_PREFIX) + strlen(name), 1);
    if (rest == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a class");
    }
    strcpy(rest, SDCA_REST_PREFIX);
    strcat(rest, name);
    SDCA_TRY(sdca_classes_copy(
        &(sdca_classes){ .count = 2, .value = (double[]){ 0.0, 1.0 } }, &two));
    SDCA_TRY(sdca_string_list_append(&two.names, rest, strlen(rest)));
    SDCA_TRY(sdca_string_list_append(&two.names, name, strlen(name)));
    sdca_classes_free(classes);
    *classes = two;
    two      = (sdca_classes){ 0 };

done:
    free(rest);
    sdca_classes_free(&two);
    return status;
}

/* Make a label +1. code[k] is y of label k. Local. */
static sdca_status choose_positive(sdca_dataset *draft, const char *name,
                                   const char *positive, int labels, double *code)
{
    sdca_classes *classes = &draft->classes;
    int           chosen  = sdca_classes_find_text(classes, positive, strlen(positive));
    char          list[SDCA_CLASS_LIST_SIZE];

    if (chosen < 0) {
        sdca_classes_list(classes, list);
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has no row with the positive label '%s': it has %s", name,
                         sdca_string_escape(positive, strlen(positive)).text, list);
    }
    for (int k = 0; k < labels; k++) {
        code[k] = k == chosen ? 1.0 : -1.0;
    }
    if (labels == 2 && chosen == 1) {
        return SDCA_OK; /* as it is without a choice */
    }
    draft->fingerprint ^= 0x9e3779b97f4a7c15U * (uint64_t)(chosen + 1);
    if (labels == 2) {
        swap_classes(classes);
        return SDCA_OK;
    }
    return make_one_and_rest(classes, chosen);
}

/* Make classes of the labels found, and encode the rows. Local. */
static sdca_status encode_rows(sdca_dataset *draft, const char *name,
                               const char *positive, const sdca_label_counts *all)
{
    sdca_status status = SDCA_OK;
    double     *code   = sdca_alloc_array((size_t)all->count, sizeof *code);

    if (code == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", all->count);
    }
    SDCA_TRY(make_classes(&draft->class_names, all, &draft->classes));
    draft->unused_names =
        draft->class_names.count > 0 ? draft->class_names.count - all->count : 0;
    for (int k = 0; k < all->count; k++) {
        code[k] = sdca_classes_code(&draft->classes, k);
    }
    if (positive != NULL) {
        SDCA_TRY(choose_positive(draft, name, positive, all->count, code));
    }
    for (uint32_t i = 0; i < draft->x.count; i++) {
        sdca_row *row = &draft->x.row[i];

        row->y = code[sdca_label_counts_find(all, row->y)];
    }

done:
    free(code);
    return status;
}

/* The labels that rows have become the classes. Collective. */
static sdca_status encode_found(MPI_Comm comm, sdca_dataset *draft, const char *name,
                                const char *positive)
{
    sdca_status       status = SDCA_OK;
    sdca_label_counts all    = { 0 };

    SDCA_TRY(find_labels(comm, draft, &all));
    SDCA_TRY(check_labels(draft, name, &all));
    SDCA_TRY(sdca_comm_agree(comm, encode_rows(draft, name, positive, &all)));

done:
    sdca_label_counts_free(&all);
    return status;
}

/* Replace labels by values of classes. Local. */
static sdca_status encode_rows_as(sdca_dataset *draft, const char *name,
                                  const sdca_classes *classes)
{
    sdca_status      status = SDCA_OK;
    sdca_label_match match  = { 0 };

    SDCA_TRY(sdca_label_match_open(name, &draft->class_names, classes, &match));
    for (uint32_t i = 0; classes->names.count > 0 && i < draft->x.count; i++) {
        double *y = &draft->x.row[i].y;

        if (!sdca_label_match_find(&match, y)) {
            status =
                sdca_label_match_refuse(&match, sdca_dataset_global_row(draft, i), *y);
            goto done;
        }
    }

done:
    sdca_label_match_close(&match);
    return status;
}

/* Make labels values of classes, of which regression has none. Collective. */
static sdca_status encode_as(MPI_Comm comm, sdca_dataset *draft, const char *name,
                             const sdca_classes *classes)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, sdca_classes_copy(classes, &draft->classes)));
    SDCA_TRY(sdca_comm_agree(comm, encode_rows_as(draft, name, classes)));

done:
    return status;
}

sdca_status sdca_labels_encode(MPI_Comm comm, sdca_dataset *draft, const char *name,
                               sdca_task task, const char *positive,
                               const sdca_classes *classes)
{
    const sdca_classes none = { .count = 0 };

    sdca_classes_free(&draft->classes);
    if (classes == NULL && task == SDCA_TASK_REGRESSION) {
        classes = &none;
    }
    if (!draft->has_labels) {
        return sdca_comm_agree(
            comm, sdca_classes_copy(classes != NULL ? classes : &none, &draft->classes));
    }
    if (classes != NULL) {
        return encode_as(comm, draft, name, classes);
    }
    return task == SDCA_TASK_CLASSIFICATION ? encode_found(comm, draft, name, positive)
                                            : SDCA_OK;
}
