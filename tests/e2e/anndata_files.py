"""Write AnnData files with h5py, following AnnData's on-disk specification, and check
the results of sdca."""
import csv
import sys

import h5py
import numpy as np
import scipy.sparse as sp

import oracle
from oracle import check, near

TEXT = h5py.string_dtype()
GENES = [f"gene{j}" for j in range(20)]


def encode(item, kind, version):
    """Set the encoding attributes that AnnData requires."""
    item.attrs["encoding-type"] = kind
    item.attrs["encoding-version"] = version
    return item


def put_array(group, name, values, kind="array"):
    """Numbers, booleans or strings."""
    values = np.asarray(values)
    if values.dtype.kind in "UO":
        return encode(group.create_dataset(name, data=values.astype(object), dtype=TEXT), "string-array", "0.2.0")
    return encode(group.create_dataset(name, data=values), kind, "0.2.0")


def put_categories(group, name, categories, codes):
    """A categorical column as AnnData writes it since 0.8."""
    column = encode(group.create_group(name), "categorical", "0.2.0")
    column.attrs["ordered"] = False
    put_array(column, "categories", categories)
    put_array(column, "codes", np.asarray(codes, dtype=np.int8))


def put_matrix(file, x, form):
    """X, sparse or dense."""
    if form == "dense":
        put_array(file, "X", x.toarray())
        return
    x = x.asformat(form)
    group = encode(file.create_group("X"), form + "_matrix", "0.1.0")
    group.attrs["shape"] = x.shape
    group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr


def put_names(file, names, index="_index"):
    """var with an index only; the index may have a name."""
    var = encode(file.create_group("var"), "dataframe", "0.2.0")
    var.attrs["_index"] = index
    var.attrs["column-order"] = np.array([])
    put_array(var, index, names)


def save(path, x, sick, form="csr"):
    """A file with the same labels in every representation that obs allows."""
    with h5py.File(path, "w") as file:
        encode(file, "anndata", "0.1.0")
        put_matrix(file, x, form)
        obs = encode(file.create_group("obs"), "dataframe", "0.2.0")
        obs.attrs["_index"] = "_index"
        obs.attrs["column-order"] = ["state"]
        put_array(obs, "_index", [f"cell{i}" for i in range(x.shape[0])])
        put_categories(obs, "state", ["healthy", "sick, a bit"], sick)
        put_categories(obs, "reversed", ["sick, a bit", "healthy"], 1 - sick)
        put_categories(obs, "unused", ["?", "healthy", "rare", "sick, a bit"], 1 + 2 * sick)
        put_categories(obs, "numbered", [4, 7], sick)
        put_categories(obs, "gaps", ["healthy", "sick, a bit"], np.where(np.arange(len(sick)) == 9, -1, sick))
        put_categories(obs, "three", ["a", "b", "c"], np.arange(len(sick)) % 3)
        put_categories(obs, "long", ["x" * 70, "y"], sick)
        put_array(obs, "bool", sick.astype(bool))
        put_array(obs, "int", 2 * sick - 1)
        put_array(obs, "float", sick + 0.5)
        put_array(obs, "text", np.where(sick > 0, "s", "h"))
        put_array(obs, "short", sick[1:])
        nullable = encode(obs.create_group("nullable"), "nullable-integer", "0.1.0")
        nullable["values"], nullable["mask"] = sick, np.zeros(len(sick), dtype=bool)
        obs["old"] = sick.astype(np.int8)  # as before 0.8
        old = obs.create_group("__categories")
        old.create_dataset("old", data=np.array(["healthy", "sick, a bit"], dtype=object), dtype=TEXT)
        obs["old"].attrs["categories"] = old["old"].ref
        put_names(file, GENES, "gene_symbols" if form == "csr" else "_index")


def rows(count, seed):
    """Gene counts; some genes depend on the state."""
    rng = np.random.default_rng(seed)
    x = rng.poisson(0.3, (count, 20)).astype(np.float32)
    sick = (x[:, 0] + x[:, 1] - x[:, 2] + rng.normal(0.0, 0.3, count) > 0.4).astype(int)
    return sp.csr_matrix(x), sick


def write():
    """Training files in two layouts, one in sdca's own layout, and a test set."""
    x, sick = rows(200, 1)
    for form in ("csr", "csc", "dense"):
        save(form + ".h5ad", x, sick, form)
    with h5py.File("plain.h5", "w") as file:
        put_matrix(file, x, "csr")
        file["y"] = sick
    # A missing index, an index that is too short, and one with two genes swapped.
    for name, names in (("fallback", GENES), ("unnamed", GENES[1:]), ("swapped", GENES[:3] + GENES[4:2:-1] + GENES[5:])):
        with h5py.File(name + ".h5ad", "w") as file:
            put_matrix(file, x, "csr")
            file["y"] = sick
            put_names(file, names)
            file["var"].attrs["_index"] = "nowhere"
    x, sick = rows(80, 2)
    save("test.h5ad", x, sick)
    # As AnnData writes a subset of rows: unused categories are removed.
    with h5py.File("sick.h5ad", "w") as file:
        put_matrix(file, x[sick > 0], "csr")
        put_categories(file.create_group("obs"), "state", ["sick, a bit"], 0 * sick[sick > 0])


def judge():
    """All forms give the same w; predictions use the strings in obs."""
    w = oracle.read_w("model-plain.h5")
    for column in ("unused", "numbered", "bool", "int", "float", "old"):
        near(oracle.read_w(f"model-{column}.h5"), w, 0.0, column)
    near(oracle.read_w("model.h5"), w, 0.0, "state")
    near(oracle.read_w("model-dense.h5"), w, 1e-3, "a dense X, on 3 ranks")
    near(-oracle.read_w("model-reversed.h5"), w, 1e-3, "the other order of categories")
    for column in ("unused", "old"):
        with h5py.File(f"model-{column}.h5", "r") as model:
            check(list(model["label_names"].asstr()[:]) == ["healthy", "sick, a bit"], f"{column}: names of the labels")
            check(list(model.attrs["labels"]) == [0.0, 1.0], f"{column}: values of the labels")
    for name in ("model", "model-dense", "model-fallback"):
        with h5py.File(name + ".h5", "r") as model:
            check(list(model["column_names"].asstr()[:]) == GENES, f"{name}: names of the columns")
    with h5py.File("model-unnamed.h5", "r") as model:
        check("column_names" not in model, "names that are not one for each column")
    with h5py.File("model-numbered.h5", "r") as model:
        check(list(model.attrs["labels"]) == [4.0, 7.0] and "label_names" not in model, "numbers as categories")
    x, sick = rows(80, 2)
    score = x @ w
    words = np.where(score > 0.0, "sick, a bit", "healthy")
    with open("test.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    check([row["prediction"] for row in found] == list(words), "predicted words")
    near([float(row["score"]) for row in found], score, 1e-12, "scores")
    with h5py.File("test-predicted.h5", "r") as file:
        names = file["label_names"].asstr()[:]
        check(list(names[file["prediction"][:].astype(int)]) == list(words), "predicted words in HDF5")
    errors = int(np.sum((score > 0.0) != (sick > 0)))
    missed = int(np.sum(score[sick > 0] <= 0.0))
    check(0 < missed < np.sum(sick), "the test set tells nothing")
    for name, wrong, count in (("test", errors, 80), ("unused", errors, 80), ("sick", missed, np.sum(sick))):
        with open(name + ".out", encoding="utf-8") as file:
            check(f"({wrong} of {count} rows)" in file.read(), f"{name}: expected {wrong} errors of {count}")
    near(oracle.read_summary("summary.json")["test_error"], missed / np.sum(sick), 1e-12, "test error while training")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write()
    else:
        judge()
