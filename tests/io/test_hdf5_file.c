/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hdf5_file.c - arrays and attributes come back as they were written. */
#include "io/hdf5_file.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/checkpoint_files.h"
#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { LENGTH = 300000 }; /* several chunks */

static char *words[] = { "one", "", "\xc3\xa9t\xc3\xa9, too" };

/* Rank 0 writes this file; every rank then reads it. Collective. */
static sdca_status write_sample(const char *path)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_file  *store  = NULL;
    static double    values[LENGTH];
    double           three[3] = { 1.5, -2.0, 1e300 };
    int64_t          big      = (int64_t)1 << 40;
    sdca_string_list some = { 3, 3, words }, none = { 0 };

    if (sdca_comm_rank(*world) == 0) {
        for (int k = 0; k < LENGTH; k++) {
            values[k] = k + 0.5;
        }
        SDCA_TRY(sdca_hdf5_create(path, &store));
        SDCA_TRY(sdca_hdf5_create_group(store, "g"));
        for (int at = 0; at < LENGTH; at += 77777) { /* pieces that fit no chunk */
            int left = LENGTH - at;

            SDCA_TRY(sdca_hdf5_append(store, "g/grown", SDCA_FLOAT64,
                                      left < 77777 ? left : 77777, values + at));
        }
        SDCA_TRY(sdca_hdf5_write_array(store, "whole", SDCA_FLOAT32, 3,
                                       (float[]){ 0.5F, 1.5F, 2.5F }));
        SDCA_TRY(sdca_hdf5_write_array(store, "integers", SDCA_INT64, 2,
                                       (int64_t[]){ -1, (int64_t)1 << 40 }));
        SDCA_TRY(sdca_hdf5_append(store, "nothing", SDCA_INT32, 0, NULL));
        SDCA_TRY(sdca_hdf5_write_range(store, "g/grown", (sdca_range){ 1, 2 },
                                       SDCA_FLOAT64, (double[]){ -7.0, -8.0 }));
        SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "title", "two words"));
        SDCA_TRY(sdca_hdf5_write_attribute(store, "g", "three", SDCA_FLOAT64, 3, three));
        SDCA_TRY(sdca_hdf5_write_attribute(store, "whole", "big", SDCA_INT64, 1, &big));
        SDCA_TRY(sdca_hdf5_write_strings(store, "words", &some));
        SDCA_TRY(sdca_hdf5_write_strings(store, "silence", &none));
        SDCA_TRY(sdca_hdf5_write_string_list_attribute(store, "g", "words", &some));
        status = sdca_hdf5_commit(store);
        store  = NULL;
    }

done:
    sdca_hdf5_close(store);
    return sdca_comm_agree(*world, status);
}

START_TEST(what_was_written_is_read)
{
    const char      *path  = temp_directory_path("sample.h5");
    sdca_hdf5_file  *store = NULL;
    sdca_array_shape shape;
    sdca_range       mine =
        sdca_range_split_even(LENGTH, sdca_comm_rank(*world), sdca_comm_size(*world));
    static double values[LENGTH];
    int32_t       narrow[2];
    double        three[3];
    int64_t       number = 0, count = 0;
    char          text[32];
    bool          same = true;

    ck_assert_all(write_sample(path) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
    ck_assert_all(sdca_hdf5_get_shape(store, "g/grown", &shape) == SDCA_OK);
    ck_assert_all(shape.dimensions == 1 && shape.extent[0] == LENGTH &&
                  shape.extent[1] == 1 && shape.is_float && shape.element_size == 8);
    ck_assert_all(sdca_hdf5_read_range(store, "g/grown", mine, SDCA_FLOAT64, values) ==
                  SDCA_OK);
    for (int64_t k = 0; k < mine.count; k++) {
        int64_t row = mine.first + k;

        same = same && values[k] == (row == 1   ? -7.0
                                     : row == 2 ? -8.0
                                                : (double)row + 0.5);
    }
    ck_assert_all(same);
    ck_assert_all(sdca_hdf5_read_range(store, "whole", (sdca_range){ 0, 3 }, SDCA_FLOAT64,
                                       values) == SDCA_OK &&
                  values[2] == 2.5);
    /* What a narrow type cannot hold is clipped, never wrapped around. */
    ck_assert_all(sdca_hdf5_read_range(store, "integers", (sdca_range){ 0, 2 },
                                       SDCA_INT32, narrow) == SDCA_OK &&
                  narrow[0] == -1 && narrow[1] == INT32_MAX);
    ck_assert_all(sdca_hdf5_get_shape(store, "nothing", &shape) == SDCA_OK &&
                  shape.extent[0] == 0);
    ck_assert_all(sdca_hdf5_read_range(store, "nothing", (sdca_range){ 0, 0 }, SDCA_INT32,
                                       narrow) == SDCA_OK);
    ck_assert_all(sdca_hdf5_read_string_attribute(store, "/", "title", text,
                                                  sizeof text) == SDCA_OK &&
                  strcmp(text, "two words") == 0);
    ck_assert_all(sdca_hdf5_read_attribute(store, "g", "three", SDCA_FLOAT64, 3, three) ==
                      SDCA_OK &&
                  three[2] == 1e300);
    ck_assert_all(sdca_hdf5_read_attribute(store, "whole", "big", SDCA_INT64, 1,
                                           &number) == SDCA_OK &&
                  number == (int64_t)1 << 40);
    ck_assert_all(sdca_hdf5_attribute_length(store, "g", "three", &count) == SDCA_OK &&
                  count == 3);
    sdca_hdf5_close(store);
}
END_TEST

/* Bytes that this process has read so far, from whatever; -1 where nobody counts. */
static long long bytes_read(void)
{
    FILE     *file  = fopen("/proc/self/io", "r");
    long long count = -1;

    if (file != NULL) {
        if (fscanf(file, "rchar: %lld", &count) != 1) {
            count = -1;
        }
        fclose(file);
    }
    return count;
}

START_TEST(a_piece_costs_its_own_bytes)
{
    enum { PIECE = 3000 };
    const char      *path  = temp_directory_path("pieces.h5");
    sdca_hdf5_file  *store = NULL;
    sdca_hdf5_array *array = NULL;
    double           piece[PIECE];
    bool             right  = true;
    long long        before = 0, after = 0;

    ck_assert_all(write_sample(path) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open_array(store, "g/grown", SDCA_FLOAT64, &array) ==
                  SDCA_OK);
    before = bytes_read();
    for (int at = 0; at < LENGTH; at += PIECE) {
        right = right &&
                sdca_hdf5_read_array(array, (sdca_range){ at, PIECE }, piece) == SDCA_OK;
        right = right && piece[PIECE - 1] == at + PIECE - 0.5;
    }
    after = bytes_read();
    ck_assert_all(right);
    ck_assert_all(after - before < (long long)(LENGTH + LENGTH / 10) * 8);
    sdca_hdf5_close_array(array);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(texts_come_back)
{
    sdca_hdf5_file  *store = NULL;
    sdca_string_list texts = { 0 };
    int64_t          count = 0;

    ck_assert_all(write_sample(temp_directory_path("sample.h5")) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("sample.h5"), &store) ==
                  SDCA_OK);
    ck_assert_all(sdca_hdf5_read_strings(store, "words", &texts) == SDCA_OK);
    ck_assert_all(texts.count == 3);
    for (int k = 0; k < 3; k++) {
        ck_assert_all(strcmp(texts.text[k], words[k]) == 0);
    }
    sdca_string_list_free(&texts);
    ck_assert_all(sdca_hdf5_read_strings(store, "silence", &texts) == SDCA_OK);
    ck_assert_all(texts.count == 0);
    ck_assert_all(sdca_hdf5_has_strings(store, "words"));
    ck_assert_all(!sdca_hdf5_has_strings(store, "whole") &&
                  !sdca_hdf5_has_strings(store, "g") &&
                  !sdca_hdf5_has_strings(store, "missing"));
    ck_assert_all(sdca_hdf5_read_strings(store, "whole", &texts) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_attribute_length(store, "g", "words", &count) == SDCA_OK &&
                  count == 3);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(questions_have_answers)
{
    const char     *path  = temp_directory_path("sample.h5");
    sdca_hdf5_file *store = NULL;

    ck_assert_all(write_sample(path) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
    ck_assert_all(sdca_hdf5_has_group(store, "g") && !sdca_hdf5_has_array(store, "g"));
    ck_assert_all(sdca_hdf5_has_array(store, "g/grown") &&
                  !sdca_hdf5_has_group(store, "g/grown"));
    ck_assert_all(!sdca_hdf5_has_array(store, "none/at/all"));
    ck_assert_all(sdca_hdf5_has_attribute(store, "/", "title") &&
                  !sdca_hdf5_has_attribute(store, "/", "other") &&
                  !sdca_hdf5_has_attribute(store, "none", "title"));
    ck_assert_all(strcmp(sdca_hdf5_path(store), path) == 0);
    sdca_hdf5_close(store);
}
END_TEST

START_TEST(wrong_requests_are_refused)
{
    const char      *path  = temp_directory_path("sample.h5");
    sdca_hdf5_file  *store = NULL;
    sdca_array_shape shape;
    double           x[4];
    char             text[8];

    ck_assert_all(write_sample(path) == SDCA_OK);
    ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
    ck_assert_all(sdca_hdf5_get_shape(store, "none", &shape) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_check_shape(store, "whole", 1, &shape) == SDCA_OK);
    ck_assert_all(sdca_hdf5_check_shape(store, "whole", 2, &shape) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_range(store, "whole", (sdca_range){ 1, 3 }, SDCA_FLOAT64,
                                       x) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_range(store, "whole", (sdca_range){ -1, 1 },
                                       SDCA_FLOAT64, x) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_attribute(store, "g", "three", SDCA_FLOAT64, 2, x) ==
                  SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_attribute(store, "/", "title", SDCA_FLOAT64, 1, x) ==
                  SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_string_attribute(store, "g", "three", text,
                                                  sizeof text) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_string_attribute(store, "g", "words", text,
                                                  sizeof text) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_read_string_attribute(store, "/", "title", text,
                                                  sizeof text) == SDCA_OK &&
                  strcmp(text, "two wor") == 0);
    sdca_hdf5_close(store);
}
END_TEST

/* Each kind of unreadable file, on every rank alike. */
START_TEST(unreadable_files_are_told)
{
    const char     *text  = temp_directory_path("text");
    const char     *empty = temp_directory_path("empty");
    sdca_hdf5_file *store = NULL;

    if (sdca_comm_rank(*world) == 0) {
        FILE *file = fopen(text, "w");

        fputs("this is not HDF5\n", file);
        fclose(file);
        fclose(fopen(empty, "w"));
    }
    MPI_Barrier(*world);
    ck_assert_all(sdca_hdf5_open(*world, temp_directory_path("none"), &store) ==
                  SDCA_MISSING);
    ck_assert_all(strstr(sdca_status_message(), "No such file") != NULL);
    ck_assert_all(sdca_hdf5_open(*world, text, &store) == SDCA_DATA);
    ck_assert_all(strstr(sdca_status_message(), "not an HDF5 file") != NULL);
    ck_assert_all(sdca_hdf5_open(*world, empty, &store) == SDCA_DATA);
    ck_assert_all(sdca_hdf5_open(*world, "/tmp", &store) == SDCA_MISSING);
    ck_assert_all(store == NULL);
}
END_TEST

/* A path that only one rank cannot open fails on all, with that rank's words. */
/* A sealed file, with a byte of it changed. Rank 0 writes it. Collective. */
static sdca_status write_damaged(const char *path, long place)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *store  = NULL;

    if (sdca_comm_rank(*world) == 0) {
        FILE *file = NULL;
        int   byte = 0;

        SDCA_TRY(sdca_hdf5_create_checksummed(path, 0, &store));
        SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "title", "two words"));
        SDCA_TRY(sdca_hdf5_commit(store));
        store = NULL;
        file  = fopen(path, "r+b");
        ck_assert_int_eq(fseek(file, place, place < 0 ? SEEK_END : SEEK_SET), 0);
        byte = fgetc(file);
        ck_assert_int_eq(fseek(file, -1, SEEK_CUR), 0);
        fputc(byte ^ 1, file);
        ck_assert_int_eq(fclose(file), 0);
    }

done:
    sdca_hdf5_close(store);
    return sdca_comm_agree(*world, status);
}

/* Wherever HDF5 would see it, or not. */
START_TEST(a_seal_is_checked_before_anything_else)
{
    static const long places[] = { 500, 512, 600, 1400, -1 };
    const char       *path     = temp_directory_path("sealed.h5");
    sdca_hdf5_file   *store    = NULL;

    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        ck_assert_all(write_damaged(path, places[k]) == SDCA_OK);
        ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_DATA);
        ck_assert_all(strstr(sdca_status_message(), "is damaged") != NULL);
        ck_assert_all(sdca_hdf5_open(MPI_COMM_NULL, path, &store) == SDCA_DATA);
        ck_assert_all(store == NULL);
    }
    MPI_Barrier(*world);
}
END_TEST

/* Overwrite bytes of a file, from so many behind the beginning of its heap on. */
static void put_in_heap(const char *path, long place, const void *bytes, size_t count)
{
    static char all[1 << 16];
    FILE       *file   = fopen(path, "r+b");
    size_t      length = fread(all, 1, sizeof all, file);
    size_t      heap   = 0;

    while (heap + 4 < length && memcmp(all + heap, "GCOL", 4) != 0) {
        heap++;
    }
    ck_assert_uint_lt(heap + 4, length);
    ck_assert_int_eq(fseek(file, (long)heap + place, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

/* A heap has 16 bytes before its objects: at 8, its size. An object has as many: at 0,
 * its number, and at 8, its length. The first text is one of 9 bytes and a zero. */
static const struct {
    long     place;
    uint64_t value;
    size_t   count;
} harm[] = {
    { 8, 0, 8 },
    { 8, 16, 8 },
    { 8, (uint64_t)1 << 40, 8 },
    { 8, UINT64_MAX, 8 },
    { 24, 4096, 8 },
    { 24, UINT64_MAX, 8 },
    { 24, UINT64_MAX - 15, 8 },
    { 24, UINT64_MAX - 31, 8 },
    { 16, 0, 2 }, /* free space of 10 bytes */
    { 48, 0, 2 },
    { 56, (uint64_t)1 << 63, 8 },
};

/* A file with texts as attributes and in an array. Collective. */
static sdca_status write_texts(const char *path)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_file  *store  = NULL;
    sdca_string_list some   = { 3, 3, words };

    if (sdca_comm_rank(*world) == 0) {
        SDCA_TRY(sdca_hdf5_create(path, &store));
        SDCA_TRY(sdca_hdf5_write_string_attribute(store, "/", "title", "two words"));
        SDCA_TRY(sdca_hdf5_write_strings(store, "words", &some));
        status = sdca_hdf5_commit(store);
        store  = NULL;
    }

done:
    sdca_hdf5_close(store);
    return sdca_comm_agree(*world, status);
}

/* HDF5 1.10 does not come back from some, and crashes over others. */
START_TEST(a_damaged_heap_of_texts_is_told)
{
    static const char zeros[480];
    const char       *path  = temp_directory_path("heap.h5");
    sdca_hdf5_file   *store = NULL;
    sdca_string_list  texts = { 0 };
    char              text[32];

    for (size_t k = 0; k <= sizeof harm / sizeof harm[0]; k++) {
        ck_assert_all(write_texts(path) == SDCA_OK);
        if (sdca_comm_rank(*world) == 0) {
            if (k < sizeof harm / sizeof harm[0]) {
                put_in_heap(path, harm[k].place, &harm[k].value, harm[k].count);
            } else {
                put_in_heap(path, 16, zeros, sizeof zeros);
            }
        }
        MPI_Barrier(*world);
        ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
        ck_assert_all(sdca_hdf5_read_string_attribute(store, "/", "title", text,
                                                      sizeof text) == SDCA_DATA);
        ck_assert_all(strstr(sdca_status_message(), "is damaged: a heap of strings") !=
                      NULL);
        ck_assert_all(sdca_hdf5_read_strings(store, "words", &texts) == SDCA_DATA);
        ck_assert_all(texts.count == 0);
        sdca_hdf5_close(store);
        store = NULL;
        MPI_Barrier(*world);
    }
}
END_TEST

/* Heaps that are longer than what HDF5 reads of one at first. */
START_TEST(long_texts_come_back)
{
    enum { LONG = 100000, MANY = 5000 };
    const char      *path  = temp_directory_path("long.h5");
    sdca_hdf5_file  *store = NULL;
    sdca_string_list texts = { 0 }, back = { 0 };
    static char      text[LONG + 1];
    bool             same = true;

    for (int k = 0; k < MANY; k++) {
        memset(text, 'a' + k % 26, LONG);
        ck_assert(sdca_string_list_append(&texts, text, k == 7 ? LONG : (size_t)k % 50) ==
                  SDCA_OK);
    }
    if (sdca_comm_rank(*world) == 0) {
        ck_assert(sdca_hdf5_create(path, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_write_strings(store, "texts", &texts) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
        store = NULL;
    }
    MPI_Barrier(*world);
    ck_assert_all(sdca_hdf5_open(*world, path, &store) == SDCA_OK);
    ck_assert_all(sdca_hdf5_read_strings(store, "texts", &back) == SDCA_OK);
    ck_assert_all(back.count == MANY);
    for (int k = 0; k < MANY; k++) {
        same = same && strcmp(texts.text[k], back.text[k]) == 0;
    }
    ck_assert_all(same);
    sdca_hdf5_close(store);
    sdca_string_list_free(&texts);
    sdca_string_list_free(&back);
}
END_TEST

START_TEST(one_rank_without_the_file_stops_all)
{
    const char     *path  = temp_directory_path("sample.h5");
    sdca_hdf5_file *store = NULL;

    ck_assert_all(write_sample(path) == SDCA_OK);
    for (int culprit = 0; culprit < sdca_comm_size(*world); culprit++) {
        const char *mine = sdca_comm_rank(*world) == culprit ? "/nowhere.h5" : path;

        ck_assert_all(sdca_hdf5_open(*world, mine, &store) == SDCA_MISSING);
        ck_assert_all(strstr(sdca_status_message(), "/nowhere.h5") != NULL);
        ck_assert_all((strstr(sdca_status_message(), "(on rank ") != NULL) ==
                      (culprit > 0));
    }
}
END_TEST

/* Rank 0 copies a file; on request it inverts the bytes behind the head, or appends some.
 * Collective. */
static bool copy_file(const char *from, const char *to, bool change, int more)
{
    enum { HEAD = 512 }; /* stays as it is: it must look like HDF5 */
    bool ok = true;

    if (sdca_comm_rank(*world) == 0) {
        FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
        int   c = 0;

        ok = in != NULL && out != NULL;
        for (int k = 0; ok && (c = fgetc(in)) != EOF; k++) {
            ok = fputc(change && k >= HEAD ? ~c & 255 : c, out) != EOF;
        }
        for (int k = 0; ok && k < more; k++) {
            ok = fputc(0, out) != EOF;
        }
        ok = in != NULL && fclose(in) == 0 && ok;
        ok = out != NULL && fclose(out) == 0 && ok;
    }
    return mpi_check_all(ok);
}

/* Hosts may have copies, as long as these are the same. */
START_TEST(a_rank_with_another_copy_stops_all)
{
    const char *path        = temp_directory_path("sample.h5"),
               *copy        = temp_directory_path("copy.h5");
    const char     *other[] = { temp_directory_path("other.h5"),
                                temp_directory_path("longer.h5") };
    const char     *what[]  = { "contents", "bytes on rank 0" };
    sdca_hdf5_file *store   = NULL;

    ck_assert_all(write_sample(path) == SDCA_OK);
    ck_assert_all(copy_file(path, copy, false, 0));
    ck_assert_all(copy_file(path, other[0], true, 0));
    ck_assert_all(copy_file(path, other[1], false, 1));
    ck_assert_all(sdca_hdf5_open(*world, sdca_comm_rank(*world) == 0 ? path : copy,
                                 &store) == SDCA_OK);
    sdca_hdf5_close(store);
    store = NULL;
    for (int k = 0; k < 2; k++) {
        for (int culprit = 0; culprit < sdca_comm_size(*world); culprit++) {
            const char *mine = sdca_comm_rank(*world) == culprit ? other[k] : path;

            if (sdca_comm_size(*world) > 1) {
                ck_assert_all(sdca_hdf5_open(*world, mine, &store) == SDCA_DATA);
                ck_assert_all(strstr(sdca_status_message(), "not the same file") != NULL);
                ck_assert_all(strstr(sdca_status_message(), what[k]) != NULL);
            }
        }
    }
    ck_assert_all(store == NULL);
}
END_TEST

START_TEST(an_uncommitted_file_leaves_nothing)
{
    if (sdca_comm_rank(*world) == 0) {
        sdca_hdf5_file *store = NULL;

        ck_assert(sdca_hdf5_create(temp_directory_path("new.h5"), &store) == SDCA_OK);
        ck_assert(access(temp_directory_path("new.h5"), F_OK) != 0);
        sdca_hdf5_close(store);
        ck_assert(access(temp_directory_path("new.h5"), F_OK) != 0);
        ck_assert(access(sdca_atomic_file_temp_path(temp_directory_path("new.h5")).text,
                         F_OK) != 0);
        ck_assert(sdca_hdf5_create("/nowhere/new.h5", &store) == SDCA_CREATE);
    }
    sdca_hdf5_close(NULL);
}
END_TEST

static void make(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void check_content(const char *path, const char *text)
{
    char  found[16] = "";
    FILE *file      = fopen(path, "r");

    ck_assert(file != NULL && fgets(found, sizeof found, file) != NULL);
    ck_assert(strcmp(found, text) == 0);
    fclose(file);
}

/* Not where the temporary name is taken, nor where a link has it, nor where a
 * checkpoint is to take the place of another file or to push one away. */
START_TEST(no_file_of_others_is_touched)
{
    const char *path          = temp_directory_path("new.h5"),
               *victim        = temp_directory_path("victim");
    sdca_path       temporary = sdca_atomic_file_temp_path(path);
    sdca_path       older     = sdca_atomic_file_generation(path, 1);
    sdca_hdf5_file *store     = NULL;

    if (sdca_comm_rank(*world) == 0) {
        make(temporary.text, "taken");
        ck_assert(sdca_hdf5_create(path, &store) == SDCA_CREATE);
        check_content(temporary.text, "taken");
        unlink(temporary.text);
        make(victim, "mine");
        ck_assert(symlink(victim, temporary.text) == 0);
        ck_assert(sdca_hdf5_create(path, &store) == SDCA_CREATE);
        check_content(victim, "mine");
        unlink(temporary.text);
        ck_assert(sdca_hdf5_create("-", &store) == SDCA_USAGE);

        make(path, "mine");
        ck_assert(sdca_hdf5_create_checksummed(path, 0, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_CREATE);
        check_content(path, "mine");
        unlink(path);
        ck_assert(sdca_hdf5_create_checksummed(path, 1, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
        make(older.text, "mine");
        ck_assert(sdca_hdf5_create_checksummed(path, 1, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_CREATE);
        check_content(older.text, "mine");
        ck_assert(access(sdca_checkpoint_files_temp_path(path).text, F_OK) != 0);
        ck_assert(sdca_hdf5_create_checksummed(path, 0, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_test(tests, what_was_written_is_read);
    tcase_add_test(tests, a_piece_costs_its_own_bytes);
    tcase_add_test(tests, texts_come_back);
    tcase_add_test(tests, questions_have_answers);
    tcase_add_test(tests, wrong_requests_are_refused);
    tcase_add_test(tests, unreadable_files_are_told);
    tcase_add_test(tests, a_seal_is_checked_before_anything_else);
    tcase_add_test(tests, a_damaged_heap_of_texts_is_told);
    tcase_add_test(tests, long_texts_come_back);
    tcase_add_test(tests, one_rank_without_the_file_stops_all);
    tcase_add_test(tests, a_rank_with_another_copy_stops_all);
    tcase_add_test(tests, an_uncommitted_file_leaves_nothing);
    tcase_add_test(tests, no_file_of_others_is_touched);
}
