/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_match.c - the labels of a source as values of given classes. */
#include "data/label_match.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/parse_number.h"

/* A name and the value that it stands for. */
typedef struct named_value {
    const char *name;
    double      value;
} named_value;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_value *)a)->name, ((const named_value *)b)->name);
}

/* The class value of each word; otherwise if it is not a class. */
static sdca_status match_words(sdca_label_match *match, double otherwise)
{
    const sdca_classes *classes = match->classes;
    named_value        *known   = sdca_alloc_array((size_t)classes->count, sizeof *known);

    if (known == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes->count);
    }
    for (int k = 0; k < classes->count; k++) {
        known[k] = (named_value){ classes->names.text[k], classes->value[k] };
    }
    qsort(known, (size_t)classes->count, sizeof *known, compare_names);
    for (int64_t j = 0; j < match->words->count; j++) {
        const named_value  wanted = { .name = match->words->text[j] };
        const named_value *found =
            bsearch(&wanted, known, (size_t)classes->count, sizeof *known, compare_names);

        match->value[j] = found != NULL ? found->value : otherwise;
    }
    free(known);
    return SDCA_OK;
}

double sdca_label_match_number(const char *text)
{
    const char *end    = text + strlen(text);
    double      number = 0.0;

    return sdca_parse_double(text, end, &number) == end && end > text ? number : NAN;
}

sdca_status sdca_label_match_open(const char *name, const sdca_string_list *words,
                                  const sdca_classes *classes, sdca_label_match *match)
{
    bool rest = sdca_classes_are_one_and_rest(classes);

    *match = (sdca_label_match){
        .name = name, .words = words, .classes = classes, .one = NAN
    };
    if (classes->names.count == 0) {
        return words->count > 0
                   ? SDCA_FAIL(SDCA_DATA,
                               "the labels of '%s' are words, where numbers are needed",
                               name)
                   : SDCA_OK;
    }
    if (words->count == 0) {
        match->one = rest ? sdca_label_match_number(classes->names.text[1]) : NAN;
        return isnan(match->one) ? SDCA_FAIL(SDCA_DATA,
                                             "the labels of '%s' are numbers, where the "
                                             "model has words",
                                             name)
                                 : SDCA_OK;
    }
    match->value = sdca_alloc_array((size_t)words->count, sizeof *match->value);
    return match->value != NULL
               ? match_words(match, rest ? 0.0 : NAN)
               : SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'", name);
}

void sdca_label_match_close(sdca_label_match *match)
{
    free(match->value);
    *match = (sdca_label_match){ .name = NULL };
}

/* Is the label the number of a word? */
static bool is_word(const sdca_label_match *match, double label)
{
    return label >= 0.0 && label < (double)match->words->count;
}

bool sdca_label_match_find(const sdca_label_match *match, double *label)
{
    if (match->value != NULL) {
        double value = is_word(match, *label) ? match->value[(int64_t)*label] : NAN;

        *label = isnan(value) ? *label : value;
        return !isnan(value);
    }
    if (!isnan(match->one)) {
        *label = *label == match->one ? 1.0 : 0.0;
    }
    return true;
}

sdca_status sdca_label_match_refuse(const sdca_label_match *match, int64_t row,
                                    double label)
{
    char list[SDCA_CLASS_LIST_SIZE], number[32];

    sdca_classes_list(match->classes, list);
    snprintf(number, sizeof number, "%g", label);
    return SDCA_FAIL(SDCA_DATA,
                     "'%s', row %lld: the label is '%.40s', but the model has the labels "
                     "%s",
                     match->name, (long long)row,
                     is_word(match, label) ? match->words->text[(int64_t)label] : number,
                     list);
}
