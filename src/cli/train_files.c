/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_files.c - may train read and write these files? */
#include "train_files.h"

#include <stdbool.h>
#include <stddef.h>

#include "progress_file.h"
#include "sdca/checkpoint.h"
#include "sdca/output.h"

enum { OUTPUTS = 4, INPUTS = 3 };

/* Of the checkpoint, all files count that the run may write, rename or remove. The run
 * may go on from one of them. */
static sdca_status check_checkpoint(const train_options *options,
                                    const char *const    output[OUTPUTS],
                                    const char *const    input[INPUTS])
{
    const char *path = options->checkpoint, *from = options->from;
    sdca_status status = SDCA_OK;
    const char *lost   = NULL;

    SDCA_TRY(sdca_atomic_file_check_regular(path));
    for (int k = 0; k < OUTPUTS; k++) {
        if (output[k] != NULL && sdca_checkpoint_files_contain(path, output[k])) {
            status = SDCA_FAIL(SDCA_USAGE, "the outputs '%s' and '%s' would be one file",
                               path, output[k]);
            goto done;
        }
    }
    for (int k = 0; k < INPUTS; k++) {
        if (input[k] != NULL) {
            SDCA_TRY(sdca_atomic_file_check_not_input(path, input[k]));
            lost = sdca_checkpoint_files_contain(path, input[k]) ? input[k] : lost;
        }
    }
    if (from != NULL && sdca_checkpoint_files_contain(path, from) &&
        !sdca_checkpoint_files_contain_generation(path, from)) {
        lost = from;
    }
    if (lost != NULL) {
        status = SDCA_FAIL(SDCA_USAGE, "the output '%s' would replace the input '%s'",
                           path, lost);
    }

done:
    return status;
}

sdca_status train_files_check(const train_options *options)
{
    const char *output[OUTPUTS] = { options->model, options->history, options->summary,
                                    options->progress };
    const char *input[INPUTS]   = { options->data, options->test, options->warm_start };
    sdca_status status          = SDCA_OK;

    SDCA_TRY(sdca_atomic_file_check_regular(options->model));
    for (int k = 0; k < OUTPUTS; k++) {
        if (output[k] == NULL) {
            continue;
        }
        SDCA_TRY(output[k] == options->progress
                     ? progress_file_check(output[k])
                     : sdca_atomic_file_check_writable(output[k]));
        SDCA_TRY(options->from != NULL
                     ? sdca_atomic_file_check_not_input(output[k], options->from)
                     : SDCA_OK);
        for (int other = 0; other < INPUTS; other++) {
            SDCA_TRY(input[other] != NULL
                         ? sdca_atomic_file_check_not_input(output[k], input[other])
                         : SDCA_OK);
        }
        for (int other = 0; other < k; other++) {
            SDCA_TRY(output[other] != NULL
                         ? sdca_atomic_file_check_distinct(output[k], output[other])
                         : SDCA_OK);
        }
    }
    SDCA_TRY(options->checkpoint != NULL ? check_checkpoint(options, output, input)
                                         : SDCA_OK);

done:
    return status;
}
