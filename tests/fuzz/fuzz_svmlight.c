/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_svmlight.c - fuzz the SVMlight parser and check its guarantees.
 *
 * Any text gives the same rows and the same error message, however it is split into
 * pieces, rows are well-formed, and numbers equal those of strtod(). With libFuzzer,
 * build it with:
 *
 *   clang -DSDCA_LIBFUZZER -fsanitize=fuzzer,address,undefined ...
 *
 * Otherwise this is a program that tests fixed difficult lines and a fixed number of
 * mutations of them. */
#include "base/parse_number.h"
#include "parser_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static sdca_status take(void *hash, const sdca_svmlight_row *row)
{
    mix_row(hash, row);
    return SDCA_OK;
}

static sdca_status feed(void *parser, const char *text, size_t size)
{
    return sdca_svmlight_feed(parser, text, size);
}

/* The hash of rows and status. */
static uint64_t parse(const uint8_t *bytes, size_t size, size_t piece)
{
    uint64_t       hash   = hash_of_nothing;
    sdca_status    status = SDCA_OK;
    sdca_svmlight *parser = NULL;

    SDCA_TRY(sdca_svmlight_create("text", 1, take, &hash, &parser));
    SDCA_TRY(feed_pieces(feed, parser, bytes, size, piece));
    SDCA_TRY(sdca_svmlight_finish(parser));

done:
    if (status != SDCA_OK) {
        demand(status == SDCA_DATA, "a failure that is not one of the data");
        mix(&hash, sdca_status_message(), strlen(sdca_status_message()));
    }
    sdca_svmlight_free(parser);
    return hash;
}

/* A parsed number equals that of strtod(), which also accepts hexadecimal numbers and
 * skips leading blanks. */
static void check_number(const uint8_t *bytes, size_t size)
{
    char       *text  = malloc(size + 1);
    double      ours  = 0.0;
    const char *end   = NULL;
    char       *after = NULL;
    double      theirs;

    demand(text != NULL, "no memory");
    memcpy(text, bytes, size);
    text[size] = '\0';
    end        = sdca_parse_double(text, text + size, &ours);
    if (end > text && *end != 'x' && *end != 'X') {
        theirs = strtod(text, &after);
        demand(after == end, "a number ends elsewhere than for strtod");
        demand(memcmp(&ours, &theirs, sizeof ours) == 0,
               "a number is not that of strtod");
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const size_t piece[] = { 1, 2, 7, 8, 9 };
    uint64_t            whole   = parse(bytes, size, size + 1);

    for (size_t k = 0; k < sizeof piece / sizeof piece[0]; k++) {
        demand(parse(bytes, size, piece[k]) == whole, "pieces give other rows");
    }
    check_number(bytes, size);
    return 0;
}

/* libFuzzer has its own main(). */
#ifndef SDCA_LIBFUZZER

#include "text_mutation.h"

static const char *const nasty[] = {
    "",
    "\n",
    "\r\n",
    "\r",
    "#",
    "1",
    "+1 1:1\n-1 2:0.5 3:1e-3\n",
    "-1 1:0.472236 2:0.352778 10:.5 11:5. 26:+1\r\n\r\n# end",
    "1 qid:3 1:2\n1 qid: 1:2\n",
    "1 1:nan\n",
    "inf 1:2\n",
    "1 0:1\n",
    "1 2:1 1:1\n",
    "1 2147483646:1 2147483647:1\n",
    "1 99999999999999999999999999:1\n",
    "1 1:99999999999999999999999999999e-10 2:1e99999999999999999999\n",
    "1 1:0.00000000000000000000000000000000000000000000000001234567890123456789\n",
    "9007199254740993 1:9007199254740993e22 2:4.9e-324 3:1.7976931348623159e308\n",
    "1\t1:1 \t 2:2\t\n",
    "1 1:0x1p3\n",
    "1 1:1e+ 2:1e- 3:1e\n",
    "1 ::::\n",
    "1 1:-\n1 1:.\n1 1:+.e1\n",
    "12345678 12345678:12345678\n",
    "\xff\xfe\x80 1:2\n",
    "1 1:2#comment 2:\n\n\n \t \n",
    "1 1:2 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
};

int main(void)
{
    static const char meaningful[] = "0123456789+-.eE: \t\r\n#qidnaNfxX\xff";

    run_nasty(nasty, sizeof nasty / sizeof nasty[0], meaningful, sizeof meaningful);
    return EXIT_SUCCESS;
}

#endif
