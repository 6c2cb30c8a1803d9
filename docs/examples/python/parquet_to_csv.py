#!/usr/bin/env python3
"""Write a Parquet file as CSV for sdca, to standard output.

    python3 parquet_to_csv.py table.parquet | sdca convert - table.h5 --format csv --label outcome
    python3 parquet_to_csv.py new.parquet | sdca predict model.h5 - --format csv -o predictions.csv

Dates and times become days since 1970, booleans 0 and 1, and missing values nothing.
It needs pyarrow, and reads the file piece by piece; or else pandas with fastparquet, and
memory for all of the file.
"""
import argparse
import csv
import datetime
import decimal
import sys

EPOCH = datetime.datetime(1970, 1, 1)


def pieces(path):
    """The names of the columns, and an iterator over pieces of the table: {name: values}."""
    try:
        import pyarrow.parquet
    except ImportError:
        pass
    else:
        file = pyarrow.parquet.ParquetFile(path)
        return file.schema_arrow.names, (batch.to_pydict() for batch in file.iter_batches())
    try:
        import pandas
        frame = pandas.read_parquet(path)
    except ImportError:
        sys.exit("parquet_to_csv.py: Parquet files need pyarrow, or pandas with fastparquet: "
                 "python3 -m pip install pyarrow")
    frame = frame.astype(object).where(frame.notna(), None)
    return list(frame.columns), iter([{name: frame[name].tolist() for name in frame.columns}])


def field(name, value):
    """A value as the csv module writes it: text in quotes, numbers without."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (value - EPOCH).total_seconds() / 86400
    if isinstance(value, datetime.date):
        return (value - EPOCH.date()).days
    if hasattr(value, "item"):  # a number of NumPy
        return field(name, value.item())
    sys.exit(f"parquet_to_csv.py: the column '{name}' has values of type {type(value).__name__}: "
             f"--drop {name} leaves it out")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", help="a Parquet file")
    parser.add_argument("--drop", metavar="COLUMN,...", default="", help="columns to leave out")
    options = parser.parse_args()
    names, tables = pieces(options.table)
    dropped = options.drop.split(",") if options.drop else []
    unknown = [name for name in dropped if name not in names]
    if unknown:
        sys.exit(f"parquet_to_csv.py: no column is called '{unknown[0]}': there are {', '.join(names)}")
    names = [name for name in names if name not in dropped]
    out = csv.writer(sys.stdout, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    out.writerow(names)
    for table in tables:
        out.writerows(zip(*([field(name, value) for value in table[name]] for name in names)))


if __name__ == "__main__":
    main()
