"""Tables for sdca convert, and reference results by Python's csv module, NumPy and
scikit-learn's OneHotEncoder."""
import csv
import glob
import resource
import subprocess
import sys

import h5py
import numpy as np
from sklearn.preprocessing import OneHotEncoder

import oracle
from oracle import check

WORDS = ["red", "blue", "green, light", 'the "best"', "two\nlines", "CR\r\nLF", "été", "名", " blanks ", "NA"]
HEADER = ["age", "colour", 'the "size", in m', "city", "outcome"]


def rows(count, seed):
    """Numbers, strings that need quoting, and string labels."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield [repr(rng.normal()), rng.choice(WORDS), str(rng.integers(-2, 3)),
               rng.choice(["Ulm", "Bern", "Aix"]), rng.choice(["won", "lost"])]


def write_table(path, header, records, **form):
    """Write a file with Python's csv module. Values that look missing are quoted."""
    encoding = form.pop("encoding", "utf-8")
    with open(path, "w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, **form)
        quoted = csv.writer(file, **{**form, "quoting": csv.QUOTE_ALL})
        if header:
            writer.writerow(header)
        for record in records:
            (quoted if {"NA", " blanks "} & set(record) else writer).writerow(record)


def write():
    """The same content in many forms."""
    records = list(rows(300, 1))
    write_table("plain.csv", HEADER, records)
    write_table("lf.csv", HEADER, records, lineterminator="\n")
    write_table("quoted.csv", HEADER, records, quoting=csv.QUOTE_ALL)
    write_table("marked.csv", HEADER, records, encoding="utf-8-sig")
    write_table("tabs.tsv", HEADER, records, delimiter="\t")
    write_table("semicolons.csv", HEADER, records, delimiter=";")
    write_table("bars", HEADER, records, delimiter="|")
    write_table("headless.csv", None, records)
    write_table("tail.csv", HEADER, records, lineterminator="\n")
    with open("tail.csv", "rb+") as file:
        file.truncate(file.seek(0, 2) - 1)
    other = [[*r[:1], "red", *r[2:]] for r in rows(40, 2)]
    order = [4, 3, 2, 1, 0]
    write_table("other.csv", [HEADER[k] for k in order], [[r[k] for k in order] for r in other])
    write_table("wide.csv", [f"x{j}" for j in range(500)] + ["y"],
                [[str(j * i % 7) for j in range(500)] + [str(i % 2)] for i in range(40)])
    with open("long.csv", "w", encoding="utf-8") as file:
        file.write("a,b,c,y\n")
        file.writelines(f"{i % 1000},{i * 0.25},w{i % 50},{i % 2}\n" for i in range(1500000))


def expect(path, separator=",", header=True):
    """X, its names and y by csv, NumPy and OneHotEncoder."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = list(csv.reader(file, delimiter=separator, strict=True))
    names = table.pop(0) if header else [str(k + 1) for k in range(len(table[0]))]
    cells = np.array(table, dtype=object)
    x, index = [], []
    for k, name in enumerate(names[:-1]):
        try:
            x.append(cells[:, k:k + 1].astype(float))
            index.append(name)
        except ValueError:
            encoder = OneHotEncoder()
            x.append(encoder.fit_transform(cells[:, k:k + 1]).toarray())
            index += [f"{name}={word}" for word in encoder.categories_[0]]
    labels = np.unique(cells[:, -1].astype(str))
    return np.hstack(x), index, np.where(cells[:, -1] == labels[1], 1.0, -1.0), list(labels)


def read(path):
    """X, its names and y from sdca's output."""
    x, _ = oracle.read_data(path)
    with h5py.File(path, "r") as file:
        texts = {name: list(file[name].asstr()[:]) for name in ("var/_index", "var/column", "var/category")}
        check(list(file["var"].attrs["column-order"]) == ["column", "category"] and
              file["var"].attrs["encoding-type"] == "dataframe", f"{path}: var is not a data frame")
        for name in (*texts, "label_names"):
            check(file[name].attrs["encoding-type"] == "string-array", f"{path}: {name} is not a string array")
        names = list(file["label_names"].asstr()[:])
        y = file["y"][:] if "y" in file else None
        for name, column, category in zip(*texts.values()):
            check(name == (f"{column}={category}" if category else column), f"{path}: {name}, {column}, {category}")
    return x.toarray(), texts["var/_index"], y, names


def same(path, expected):
    """Compare a file with the expected content."""
    found = read(path)
    for what, ours, theirs in zip(("X", "names", "y", "labels"), found, expected):
        check(np.array_equal(ours, theirs), f"{path}: {what} is {ours}, expected {theirs}")


def judge():
    """All forms have the same content; --like gives the columns of the other table."""
    plain = expect("plain.csv")
    check(plain[0].shape == (300, 1 + len(WORDS) + 1 + 3), "the test's own table")
    for path in glob.glob("from-*.h5"):
        same(path, plain)
    same("tabs.h5", expect("tabs.tsv", "\t"))
    same("headless.h5", expect("headless.csv", header=False))
    _, index, _, labels = plain
    with open("other.csv", newline="", encoding="utf-8") as file:
        other = list(csv.DictReader(file))
    x = np.zeros((len(other), len(index)))
    for i, row in enumerate(other):
        for column, word in row.items():
            if column in index:
                x[i, index.index(column)] = float(word)
            elif column != "outcome":
                x[i, index.index(f"{column}={word}")] = 1.0
    same("other.h5", (x, index, np.array([1.0 if r["outcome"] == "won" else -1.0 for r in other]), labels))
    check(read("unlabelled.h5")[2] is None, "there are labels in unlabelled.h5")
    check(np.array_equal(read("unlabelled.h5")[0], x), "unlabelled.h5 has other values")
    x, y = oracle.read_data("wide.h5")
    check(np.array_equal(x.toarray(), [[j * i % 7 for j in range(500)] for i in range(40)]), "wide.csv")
    check(np.array_equal(y, np.arange(40) % 2), "labels of wide.csv")


def weigh(sdca):
    """A table of 28 MB needs little more memory than one of 40 lines."""
    peak = []
    for path in ("other.csv", "long.csv"):
        subprocess.run([sdca, "convert", path, "weighed.h5", "--no-label", "--quiet"], check=True)
        peak.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    check(peak[1] < peak[0] + 15000, f"memory grows with the rows: {peak[0]} kB, then {peak[1]} kB")


def change(path, out, change_names, columns):
    """A copy with this number of columns and other names, as a data frame of another program."""
    x, _ = oracle.read_data(path)
    with h5py.File(path) as file, h5py.File(out, "w") as copy:
        file.copy("y", copy)
        file.copy("label_names", copy)
        copy["X"] = x.toarray()[:, :columns]
        copy["var/_index"] = change_names(list(file["var/_index"].asstr()[:columns]))
        copy["var"].attrs["_index"] = "_index"


if sys.argv[1] == "write":
    write()
elif sys.argv[1] == "narrow":
    change(*sys.argv[2:], lambda names: names, 5)
elif sys.argv[1] == "rename":
    change(*sys.argv[2:], lambda names: names[:-1] + ["city=Rom"], 15)
elif sys.argv[1] == "memory":
    weigh(sys.argv[2])
else:
    judge()
