"""Data sets as commonly written with h5py and SciPy.

    h5py_files.py write    write the same rows in many forms, and as text
    h5py_files.py check    check that all forms give the same model, on any number of ranks"""
import glob
import sys

import h5py
import numpy as np
import scipy.sparse as sp

import oracle
from oracle import check, near


def rows():
    """Values exact in float32; one row and one column are empty."""
    generator = np.random.default_rng(3)
    x = sp.random(60, 12, density=0.4, random_state=5, format="csr")
    x.data = np.round(generator.normal(size=x.nnz) * 8.0) / 4.0 + 0.125
    x = sp.lil_matrix(x)
    x[17] = 0.0
    x[:, 4] = 0.0
    x = sp.csr_matrix(x)
    x.eliminate_zeros()
    y = np.where(x @ generator.normal(size=12) + 0.3 * generator.normal(size=60) > 0.0, 1.0, -1.0)
    return x, y


def write_csr(path, x, y, value=np.float64, index=np.int32, offset=np.int64, **layout):
    """The AnnData layout, with its variable-length strings."""
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"] = "csr_matrix"
        group.attrs["encoding-version"] = "0.1.0"
        group.attrs["shape"] = x.shape
        group.create_dataset("data", data=x.data.astype(value), **layout)
        group.create_dataset("indices", data=x.indices.astype(index), **layout)
        group.create_dataset("indptr", data=x.indptr.astype(offset), **layout)
        file.create_dataset("y", data=y, **layout)


def write_dense(path, x, y, **layout):
    """X as a two-dimensional array."""
    with h5py.File(path, "w") as file:
        file.create_dataset("X", data=x, **layout)
        file.create_dataset("y", data=y)


def unsorted(x):
    """The same matrix with descending columns in each row."""
    x = x.copy()
    for i in range(x.shape[0]):
        part = slice(x.indptr[i], x.indptr[i + 1])
        x.indices[part] = x.indices[part][::-1].copy()
        x.data[part] = x.data[part][::-1].copy()
    return x


def write_text(path, x, y):
    """LIBSVM text."""
    with open(path, "w", encoding="utf-8") as file:
        for i, label in enumerate(y):
            pairs = zip(x[i].indices, x[i].data)
            file.write(f"{label:.17g} " + " ".join(f"{j + 1}:{float(v)!r}" for j, v in pairs) + "\n")


def write():
    """Write all forms."""
    x, y = rows()
    packed = {"chunks": (7,), "compression": "gzip", "shuffle": True, "fletcher32": True}
    write_text("rows.txt", x, y)
    write_text("rows01.txt", x, (y + 1.0) / 2.0)
    write_text("real.txt", x, x @ np.arange(12.0) + 0.5 * y)
    write_csr("foreign-csr64.h5", x, y)
    write_csr("foreign-csr32.h5", x, y, value=np.float32, index=np.int64, offset=np.int32)
    write_csr("foreign-csr16.h5", x, y, value=np.float16)
    write_csr("foreign-unsigned.h5", x, y, index=np.uint16, offset=np.uint64)
    write_csr("foreign-unsorted.h5", unsorted(x), y)
    write_csr("foreign-unsorted32.h5", unsorted(x), y, value=np.float32)
    write_csr("foreign-gzip.h5", x, y, **packed)
    write_csr("foreign-intlabels.h5", x, y.astype(np.int8))
    write_csr("foreign-01.h5", x, ((y + 1) / 2).astype(np.int64))
    write_csr("foreign-words.h5", x, (y + 1) / 2)
    with h5py.File("foreign-words.h5", "a") as file:
        file["label_names"] = ["no", "yes"]
    write_csr("foreign-12.h5", x, ((y + 3) / 2).astype(np.int32))
    write_csr("foreign-bigendian.h5", x, y, value=">f8", index=">i4", offset=">i8")
    write_csr("foreign-real.h5", x, x @ np.arange(12.0) + 0.5 * y)
    with h5py.File("foreign-linked.h5", "w") as file:  # links to another file
        file["X"] = h5py.ExternalLink("foreign-csr64.h5", "X")
        file["y"] = h5py.ExternalLink("foreign-csr64.h5", "y")
    write_dense("foreign-dense64.h5", x.toarray(), y)
    write_dense("foreign-dense32.h5", x.toarray().astype(np.float32), y)
    write_dense("foreign-dense16.h5", x.toarray().astype(np.float16), y)
    write_dense("foreign-densegzip.h5", x.toarray(), y, chunks=(8, 5), compression="gzip")
    write_dense("scaled-int.h5", np.rint(8.0 * x.toarray()).astype(np.int16), y)
    write_csr("scaled-csr.h5", 8.0 * x, y)
    full = np.random.default_rng(4).integers(1, 40, (60, 12)) / 8.0
    for name, values in (("exact", full), ("wide", full + 0.1)):
        write_csr(f"full-{name}-csr.h5", sp.csr_matrix(values), y)
        write_dense(f"full-{name}-dense.h5", values, y)
    write_dense("full-exact-dense32.h5", full.astype(np.float32), y)
    many = np.random.default_rng(5).integers(1, 40, (40000, 7)) / 8.0  # more rows than one read
    thin = np.where(many > 4.0, many, 0.0)
    for name, values in (("many", many), ("thin", thin)):
        signs = np.where(values[:, 0] > values[:, 1], 1.0, -1.0)
        write_csr(f"full-{name}-csr.h5", sp.csr_matrix(values), signs, chunks=(30000,), compression="gzip")
        write_dense(f"full-{name}-dense.h5", values, signs)
    write_csr("full-padded.h5", sp.csr_matrix(np.hstack([full, np.zeros((60, 48))])), y)
    long = sp.csr_matrix(np.arange(1.0, 70001.0))  # more non-zeros than one read
    write_csr("full-long-csr.h5", sp.vstack([long, 2.0 * long, -long]).tocsr(), np.array([1.0, 1.0, -1.0]))
    write_dense("full-long-dense.h5", np.arange(1.0, 70001.0) * np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1.0, -1.0]))
    write_csr("single-plus.h5", x, np.ones(60))
    write_csr("single-zero.h5", x, np.zeros(60))
    write_csr("empty-rows.h5", sp.csr_matrix((6, 4)), np.array([1, -1, 1, 1, -1, 1]))
    write_csr("no-columns.h5", sp.csr_matrix((3, 0)), np.array([1, -1, 1]))


def judge():
    """All forms: equal bits on one rank, the same optimum on three."""
    for path in sorted(glob.glob("foreign-*.h5") + glob.glob("convert-*.h5") + ["convert01.h5"]):
        form = "convert-real.h5" if "real" in path else "convert.h5"
        same = np.array_equal(oracle.read_w("model-" + path), oracle.read_w("model-" + form))
        check(same, f"{path} differs in w from {form}")
    check(np.array_equal(oracle.read_w("model-scaled-int.h5"), oracle.read_w("model-scaled-csr.h5")),
          "whole numbers give another w than the same as doubles")
    for path in sorted(glob.glob("full-*-dense*.h5")):
        form = "-".join(path.split("-")[:2]) + "-csr.h5"
        same = np.array_equal(oracle.read_w("model-" + path), oracle.read_w("model-" + form))
        check(same, f"{path} differs in w from {form}")
    near(oracle.read_summary("full-exact-csr.h5.json")["primal"],
         oracle.read_summary("full-padded.h5.json")["primal"], 1e-6, "full rows beside zeros")
    x, y = oracle.read_data("foreign-csr64.h5")
    check(np.array_equal(y, rows()[1]) and (x != rows()[0]).nnz == 0, "the test reads what it wrote")
    alone = oracle.read_summary("convert.h5.json")
    for path in glob.glob("*.3.json"):
        run = oracle.read_summary(path)
        check(abs(run["primal"] - alone["primal"]) <= run["gap"] + alone["gap"], f"{path}: {run}")
    for name, label in (("12", [1, 2]), ("01", [0, 1]), ("csr64", [-1, 1])):
        with h5py.File(f"model-foreign-{name}.h5", "r") as model:
            near(model.attrs["labels"], label, 0.0, f"labels of model-foreign-{name}.h5")
    with h5py.File("model-foreign-words.h5", "r") as model:
        check(list(model["label_names"].asstr()[:]) == ["no", "yes"], "names of the labels")
    for name, label in (("single-plus", 1.0), ("single-zero", 0.0)):
        predicted = np.loadtxt(name + ".csv", delimiter=",", skiprows=1)[:, 0]
        check(np.all(predicted == label), f"{name}: predictions {predicted}, expected {label}")
    for name in ("empty-rows", "no-columns"):
        check(np.all(oracle.read_w(f"model-{name}.h5") == 0.0), f"{name}: w is not 0")


if sys.argv[1] == "write":
    write()
else:
    judge()
