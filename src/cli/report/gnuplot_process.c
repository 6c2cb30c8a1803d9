/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_process.c - run gnuplot to draw a figure.
 *
 * It reads its commands from a file and writes the figure to another: no pipe can break,
 * and the commands contain no file name of the user. Its exit status does not report a
 * full disk, hence the end of the figure is checked. */
#include "cli/report/gnuplot_process.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/atomic_file.h"

extern char **environ;

/* gnuplot has failed: its last message is the reason. */
static sdca_status fail_with_reason(FILE *errors, const char *path)
{
    char line[256] = "", why[sizeof line] = "no message";

    rewind(errors);
    while (fgets(line, sizeof line, errors) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t")] != '\0') {
            snprintf(why, sizeof why, "%s", line + strspn(line, " \t"));
        }
    }
    return SDCA_FAIL(SDCA_CREATE, "cannot make '%s': gnuplot failed: %s", path, why);
}

/* Run gnuplot with files as its standard streams. */
static sdca_status run_gnuplot(FILE *script, FILE *figure, FILE *errors, const char *path)
{
    posix_spawn_file_actions_t actions;
    char *const                argv[] = { "gnuplot", "--default-settings", "-", NULL };
    pid_t                      child  = 0;
    int                        failed = 0, exit_code = 0;

    if (posix_spawn_file_actions_init(&actions) != 0) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to start gnuplot");
    }
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(figure), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        return SDCA_FAIL(SDCA_CREATE, "cannot make '%s': gnuplot, which draws it, %s",
                         path, failed == ENOENT ? "is not installed" : strerror(failed));
    }
    while (waitpid(child, &exit_code, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(exit_code) && WEXITSTATUS(exit_code) == 0
               ? SDCA_OK
               : fail_with_reason(errors, path);
}

static bool ends_with(FILE *figure, const char *end)
{
    char   last[16] = "";
    size_t wanted = strlen(end), length = 0;

    if (fseek(figure, -(long)sizeof last, SEEK_END) != 0) {
        return false;
    }
    length = fread(last, 1, sizeof last, figure);
    while (length > 0 && last[length - 1] == '\n') {
        length--;
    }
    return length >= wanted && memcmp(last + length - wanted, end, wanted) == 0;
}

static sdca_status copy_figure(FILE *figure, const char *style, const char *path)
{
    char        buffer[4096];
    size_t      count  = 0;
    FILE       *out    = NULL;
    sdca_status status = sdca_atomic_file_open(path, &out);

    if (status != SDCA_OK) {
        return status;
    }
    rewind(figure);
    while (style != NULL && fgets(buffer, sizeof buffer, figure) != NULL) {
        bool is_title = strncmp(buffer, "<title>", strlen("<title>")) == 0;

        fputs(is_title ? style : "", out);
        style = is_title ? NULL : style;
        fputs(buffer, out);
    }
    while ((count = fread(buffer, 1, sizeof buffer, figure)) > 0) {
        fwrite(buffer, 1, count, out);
    }
    return sdca_atomic_file_commit(out, path);
}

sdca_status gnuplot_draw(FILE *script, const char *end, const char *style,
                         const char *path)
{
    FILE       *figure = tmpfile(), *errors = tmpfile();
    sdca_status status = SDCA_OK;

    if (figure == NULL || errors == NULL || fflush(script) != 0 || ferror(script) != 0) {
        status = SDCA_FAIL(SDCA_IO, "cannot write a temporary file: %s", strerror(errno));
        goto done;
    }
    rewind(script);
    SDCA_TRY(run_gnuplot(script, figure, errors, path));
    if (!ends_with(figure, end)) {
        status = SDCA_FAIL(SDCA_IO, "cannot make '%s': gnuplot left it unfinished", path);
        goto done;
    }
    SDCA_TRY(copy_figure(figure, style, path));

done:
    if (figure != NULL) {
        fclose(figure);
    }
    if (errors != NULL) {
        fclose(errors);
    }
    return status;
}
