/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hdf5_file.c - arrays and attributes are read back as written. */
#include "io/hdf5_file.h"

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/checkpoint_names.h"
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
        for (int at = 0; at < LENGTH; at += 77777) { /* pieces not aligned to chunks */
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

START_TEST(written_data_is_read_back)
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
    /* Values that do not fit a narrow type are clipped, never wrapped around. */
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

/* Bytes read by this process so far; -1 if not available. */
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

START_TEST(partial_read_is_cheap)
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

START_TEST(strings_round_trip)
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

START_TEST(queries_return_metadata)
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

START_TEST(invalid_requests_are_rejected)
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

/* Each kind of unreadable file, on all ranks. */
START_TEST(unreadable_files_are_reported)
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

/* A sealed file with one changed byte. Rank 0 writes it. Collective. */
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

/* Anywhere in the file, whether HDF5 would detect it or not. */
START_TEST(seal_is_checked_first)
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

/* Overwrite bytes at this offset from the start of the string heap. */
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

/* A heap has a header of 16 bytes, with its size at 8. An object has one, too: its number
 * at 0 and its length at 8. The first string has 9 bytes and a zero. */
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

/* A file with strings as attributes and in an array. Collective. */
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

/* HDF5 1.10 hangs on some of these, and crashes on others. */
START_TEST(damaged_string_heap_is_reported)
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

/* Heaps longer than HDF5's initial read. */
START_TEST(long_strings_round_trip)
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

/* A path that one rank cannot open fails on all, with that rank's message. */
START_TEST(missing_file_on_one_rank_fails_all)
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

/* Rank 0 copies a file; on request it inverts the bytes after the header, or appends
 * some. Collective. */
static bool copy_file(const char *from, const char *to, bool change, int more)
{
    enum { HEAD = 512 }; /* unchanged, to look like HDF5 */
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

/* Hosts may have separate copies, if they are equal. */
START_TEST(different_copy_on_one_rank_fails)
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

START_TEST(uncommitted_file_leaves_nothing)
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

/* Not if the temporary name is taken, also by a link, nor if a checkpoint would replace
 * or rename another program's file. */
START_TEST(foreign_files_are_not_touched)
{
    const char *path          = temp_directory_path("new.h5"),
               *target        = temp_directory_path("target");
    sdca_path       temporary = sdca_atomic_file_temp_path(path);
    sdca_path       older     = sdca_atomic_file_generation(path, 1);
    sdca_hdf5_file *store     = NULL;

    if (sdca_comm_rank(*world) == 0) {
        make(temporary.text, "taken");
        ck_assert(sdca_hdf5_create(path, &store) == SDCA_CREATE);
        check_content(temporary.text, "taken");
        unlink(temporary.text);
        make(target, "mine");
        ck_assert(symlink(target, temporary.text) == 0);
        ck_assert(sdca_hdf5_create(path, &store) == SDCA_CREATE);
        check_content(target, "mine");
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
        ck_assert(access(sdca_checkpoint_names_temp_path(path).text, F_OK) != 0);
        ck_assert(sdca_hdf5_create_checksummed(path, 0, &store) == SDCA_OK);
        ck_assert(sdca_hdf5_commit(store) == SDCA_OK);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_test(tests, written_data_is_read_back);
    tcase_add_test(tests, partial_read_is_cheap);
    tcase_add_test(tests, strings_round_trip);
    tcase_add_test(tests, queries_return_metadata);
    tcase_add_test(tests, invalid_requests_are_rejected);
    tcase_add_test(tests, unreadable_files_are_reported);
    tcase_add_test(tests, seal_is_checked_first);
    tcase_add_test(tests, damaged_string_heap_is_reported);
    tcase_add_test(tests, long_strings_round_trip);
    tcase_add_test(tests, missing_file_on_one_rank_fails_all);
    tcase_add_test(tests, different_copy_on_one_rank_fails);
    tcase_add_test(tests, uncommitted_file_leaves_nothing);
    tcase_add_test(tests, foreign_files_are_not_touched);
}
