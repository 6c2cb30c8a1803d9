/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_csv.c - fuzz the CSV parser and check its guarantees.
 *
 * Any text gives the same records, rows and error message, however it is split into
 * pieces, and rows are well-formed. With libFuzzer, build it with:
 *
 *   clang -DSDCA_LIBFUZZER -fsanitize=fuzzer,address,undefined ...
 *
 * Otherwise this is a program that tests fixed difficult tables and a fixed number of
 * mutations of them. */
#include "data/table_encoder.h"
#include "parser_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The hash of the result, and the callback for records. */
typedef struct outcome {
    uint64_t            hash;
    sdca_table_encoder *table;
} outcome;

static sdca_status take_row(void *context, const sdca_svmlight_row *row)
{
    outcome                 *o    = context;
    const sdca_table_schema *made = sdca_table_encoder_features(o->table);

    mix_row(&o->hash, row);
    demand(made->class_names.count == 0 || row->label < (double)made->class_names.count,
           "a label has no name");
    demand(row->count == 0 || row->column[row->count - 1] < made->name.count,
           "a column has no name");
    return SDCA_OK;
}

static sdca_status take_record(void *context, const sdca_csv_record *record)
{
    outcome *o = context;

    demand(record->count > 0, "a record is empty");
    mix(&o->hash, &record->line, sizeof record->line);
    for (int64_t k = 0; k < record->count; k++) {
        demand(record->field[k].text[record->field[k].length] == '\0', "no zero behind");
        mix(&o->hash, record->field[k].text, record->field[k].length + 1);
        mix(&o->hash, &record->field[k].quoted, sizeof record->field[k].quoted);
    }
    return sdca_table_encoder_add_record(o->table, record);
}

static sdca_status feed(void *parser, const char *text, size_t size)
{
    return sdca_csv_feed(parser, text, size);
}

static sdca_status parse(outcome *o, const uint8_t *bytes, size_t size, size_t piece)
{
    sdca_status status = SDCA_OK;
    sdca_csv   *parser = NULL;

    SDCA_TRY(sdca_csv_create("text", ',', take_record, o, &parser));
    SDCA_TRY(feed_pieces(feed, parser, bytes, size, piece));
    SDCA_TRY(sdca_csv_finish(parser));

done:
    sdca_csv_free(parser);
    return status;
}

/* Scan the table, then read its rows. */
static uint64_t read_table(const uint8_t *bytes, size_t size, size_t piece)
{
    outcome                    o       = { hash_of_nothing, NULL };
    sdca_table_encoder_options options = { .classifies = true, .max_categories = 4 };
    sdca_status                status  = SDCA_OK;

    SDCA_TRY(sdca_table_encoder_create("text", options, take_row, &o, &o.table));
    SDCA_TRY(parse(&o, bytes, size, piece));
    SDCA_TRY(sdca_table_encoder_end_fit(o.table));
    status = parse(&o, bytes, size, piece);
    demand(status == SDCA_OK, "what was learned does not hold");

done:
    if (status != SDCA_OK) {
        demand(status == SDCA_DATA || status == SDCA_USAGE,
               "a failure that is not one of the data");
        mix(&o.hash, sdca_status_message(), strlen(sdca_status_message()));
    }
    sdca_table_encoder_free(o.table);
    return o.hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const size_t piece[] = { 1, 2, 7 };
    uint64_t            whole   = read_table(bytes, size, size + 1);

    for (size_t k = 0; k < sizeof piece / sizeof piece[0]; k++) {
        demand(read_table(bytes, size, piece[k]) == whole, "pieces give other rows");
    }
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
    "\"",
    "\xef\xbb\xbf",
    "a,y\n1,2\n3,4\n",
    "a,b,label\r\n1,red,yes\r\n2,\"blue, dark\",no\r\n",
    "\"a\",\"y\"\n\"1\",\"x\"\"y\"\n\"2\",\"z\nz\"\n",
    "\xef\xbb\xbfy,c,d\n1,p,q\n-1,r,s\n1,t,u\n",
    "1,2,3\n4,5,6\n",
    "y\n1\n\n\"\"\n",
    "y,\n1,NA\n",
    ",,,\n,,,\n",
    "y,a\n1,1e400\n1,nan\n",
    "y,a\n1,caf\xe9\n",
    "y,a\n1, 2 \n1,\t3\n",
    "y,a\nx,p\ny,q\nz,r\n",
    "class,target\n1,2\n",
};

int main(void)
{
    static const char meaningful[] = "0123.e-,,\"\"\r\n\n\t yNAab?\xef\xbb\xc3\xa9";

    run_nasty(nasty, sizeof nasty / sizeof nasty[0], meaningful, sizeof meaningful);
    return EXIT_SUCCESS;
}

#endif
