/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_files.c - checks of the input and output files of train. */
#include "cli/train/train_files.h"

#include <stdbool.h>
#include <stddef.h>

#include "cli/train/train_path_files.h"
#include "cli/ui/progress_file.h"
#include "io/atomic_file.h"
#include "io/checkpoint_names.h"

enum { OUTPUTS = 6, INPUTS = 4 };

/* The checkpoint stands for all files that the run may write, rename or remove. The run
 * may resume from one of them. */
static sdca_status check_checkpoint(const train_arguments *arguments,
                                    const char *const      output[OUTPUTS],
                                    const char *const      input[INPUTS])
{
    const char *path = arguments->checkpoint, *from = arguments->resume_from;
    sdca_status status   = SDCA_OK;
    const char *replaced = NULL;

    SDCA_TRY(sdca_atomic_file_check_regular(path));
    for (int k = 0; k < OUTPUTS; k++) {
        if (output[k] != NULL && sdca_checkpoint_names_contain(path, output[k])) {
            status = SDCA_FAIL(SDCA_USAGE, "the outputs '%s' and '%s' would be one file",
                               path, output[k]);
            goto done;
        }
    }
    for (int k = 0; k < INPUTS; k++) {
        if (input[k] != NULL) {
            SDCA_TRY(sdca_atomic_file_check_not_input(path, input[k]));
            replaced =
                sdca_checkpoint_names_contain(path, input[k]) ? input[k] : replaced;
        }
    }
    if (from != NULL && sdca_checkpoint_names_contain(path, from) &&
        !sdca_checkpoint_names_contain_generation(path, from)) {
        replaced = from;
    }
    if (replaced != NULL) {
        status = SDCA_FAIL(SDCA_USAGE, "the output '%s' would replace the input '%s'",
                           path, replaced);
    }

done:
    return status;
}

sdca_status train_files_check(const train_arguments *arguments)
{
    const char *output[OUTPUTS] = { arguments->model,     arguments->history,
                                    arguments->summary,   arguments->progress,
                                    arguments->selection, arguments->fold_file };
    const char *input[INPUTS] = { arguments->data, arguments->test, arguments->warm_start,
                                  arguments->validation };
    sdca_status status        = SDCA_OK;

    SDCA_TRY(sdca_atomic_file_check_regular(arguments->model));
    for (int k = 0; k < OUTPUTS; k++) {
        if (output[k] == NULL) {
            continue;
        }
        SDCA_TRY(output[k] == arguments->progress
                     ? progress_file_check(output[k])
                     : sdca_atomic_file_check_writable(output[k]));
        SDCA_TRY(arguments->resume_from != NULL
                     ? sdca_atomic_file_check_not_input(output[k], arguments->resume_from)
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
    SDCA_TRY(arguments->path != NULL ? train_path_check(arguments) : SDCA_OK);
    SDCA_TRY(arguments->checkpoint != NULL ? check_checkpoint(arguments, output, input)
                                           : SDCA_OK);

done:
    return status;
}
