"""AnnData files with layers, donors and gaps for cell_parts.sh, the same data written out in full, and checks."""
import csv
import sys

import h5py
import numpy as np
import scipy.sparse as sp

from anndata_files import encode, put_array, put_categories
from oracle import check, near

GENES = [f"gene{j}" for j in range(20)]
TYPES = ["B cell", "NK", "T cell"]
DONORS = ["d1", "d2", "d3"]


def put(group, name, x, form):
    if form == "dense":
        put_array(group, name, x.toarray())
        return
    x = x.asformat(form)
    item = encode(group.create_group(name), form + "_matrix", "0.1.0")
    item.attrs["shape"] = x.shape
    item["data"], item["indices"], item["indptr"] = x.data, x.indices, x.indptr


def cells(count, seed):
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, count)
    counts = rng.poisson(0.6 + 2.0 * (np.arange(20) % 3 == kind[:, None]) * (np.arange(20) < 9), (count, 20)).astype(np.float32)
    kind[rng.random(count) < 0.05] = -1
    return {"counts": sp.csr_matrix(counts), "norm": sp.csr_matrix(np.log1p(counts)), "type": kind, "donor": rng.integers(0, 3, count),
            "age": np.round(rng.uniform(20, 80, count), 1), "pca": rng.normal(size=(count, 4)).astype(np.float32), "weight": rng.integers(1, 4, count)}


def save(path, c, form="csr", genes=GENES, order=None, donors=DONORS):
    """order: the columns of the matrices, whose names are genes."""
    order = np.arange(20) if order is None else order
    with h5py.File(path, "w") as file:
        encode(file, "anndata", "0.1.0")
        put(file, "X", c["counts"][:, order], form)
        put(file.create_group("layers"), "norm", c["norm"][:, order], form)
        put(file.create_group("raw"), "X", sp.hstack([c["norm"], c["norm"][:, :2]]), form)
        obsm = file.create_group("obsm")
        put_array(obsm, "X_pca", c["pca"])
        put_array(encode(obsm.create_group("frame"), "dataframe", "0.2.0"), "age", c["age"])
        obs = encode(file.create_group("obs"), "dataframe", "0.2.0")
        obs.attrs["_index"] = "barcode"
        put_array(obs, "barcode", [f"cell {i}" for i in range(len(c["type"]))])
        put_categories(obs, "type", TYPES, c["type"])
        put_categories(obs, "donor", donors, [donors.index(DONORS[d]) for d in c["donor"]])
        put_categories(obs, "batch", ["01", "2", "1"], c["donor"])
        put_array(obs, "name", [DONORS[d] for d in c["donor"]])
        put_array(obs, "age", c["age"])
        put_array(obs, "hole", np.where(np.arange(len(c["age"])) == 7, np.nan, 1.0))
        put_array(obs, "female", c["donor"] == 1)
        put_array(obs, "short", np.zeros(3))
        put_array(obs, "w", c["weight"])
        for prefix, names in (("var", genes), ("raw/var", genes + ["mt1", "mt2"])):
            var = encode(file.create_group(prefix), "dataframe", "0.2.0")
            var.attrs["_index"] = "_index"
            put_array(var, "_index", [f"ENS{name}" for name in names])
            put_array(var, "symbol", names)
            put_categories(var, "chromosome", ["1"], [0] * len(names))


def plain(path, x, kind, names, weight=None):
    """The same in full: labels by name, the columns as they are."""
    with h5py.File(path, "w") as file:
        put(file, "X", sp.csr_matrix(x), "csr")
        file["y"] = kind
        file["label_names"] = TYPES
        var = file.create_group("var")
        put_array(var, "_index", names)
        if weight is not None:
            file["weight"] = weight


def covariates(c):
    return np.column_stack([c["age"]] + [c["donor"] == d for d in range(3)]).astype(float)


def write():
    c = cells(300, 1)
    for form in ("csr", "csc", "dense"):
        save(f"{form}.h5ad", c, form)
    labelled = c["type"] >= 0
    some = labelled & (c["donor"] != 2)
    ens = [f"ENS{name}" for name in GENES]
    plain("layer.h5", c["norm"][labelled], c["type"][labelled], ens)
    plain("where.h5", c["norm"][some], c["type"][some], GENES, c["weight"][some])
    plain("more.h5", np.hstack([c["norm"][labelled].toarray().astype(np.float32), covariates(c)[labelled]]), c["type"][labelled],
          ens + ["age"] + [f"donor={d}" for d in DONORS])
    plain("raw.h5", sp.hstack([c["norm"], c["norm"][:, :2]]).tocsr()[labelled], c["type"][labelled], ens + ["ENSmt1", "ENSmt2"])
    plain("pca.h5", c["pca"][labelled], c["type"][labelled], [f"X_pca_{j}" for j in range(4)])
    # Other cells: genes in another order with two more between them, donors numbered in another way.
    new = cells(120, 2)
    order = np.random.default_rng(3).permutation(20)
    save("new.h5ad", new, "csc", [GENES[j] for j in order], order, ["d3", "d1", "d2"])
    save("few.h5ad", new, "csr", [GENES[j] for j in order[:-2]] + ["other1", "other2"], order)
    save("twice.h5ad", new, "csr", [GENES[j] for j in order[:-1]] + [GENES[order[0]]], order)


def same(first, second):
    """Two models with the same bits of w and the same names."""
    with h5py.File(first) as a, h5py.File(second) as b:
        check(np.array_equal(a["w"][:], b["w"][:]), f"{first} and {second} differ by {abs(a['w'][:] - b['w'][:]).max()}")
        check(list(a["column_names"].asstr()[:]) == list(b["column_names"].asstr()[:]), f"names of {first}: {a['column_names'].asstr()[:]}")


def predicted(model, out, missing="", where=""):
    """The predictions of all cells of new.h5ad, or of those of one donor; prints the error of the labelled ones."""
    new = cells(120, 2)
    x = np.hstack([new["norm"].toarray(), covariates(new)])
    for gene in missing.split(","):
        x[:, [name == gene for name in GENES] + [False] * 4] = 0
    rows = np.arange(120) if not where else np.flatnonzero(new["donor"] == DONORS.index(where))
    with h5py.File(model) as file:
        score = x[rows] @ file["w"][:].T
    with open(out, newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    check([row["barcode"] for row in found] == [f"cell {i}" for i in rows], "names of cells")
    near([[float(row["score_" + t]) for t in TYPES] for row in found], score, 1e-5, "scores")
    best = score.argmax(axis=1)
    check([row["prediction"] for row in found] == [TYPES[k] for k in best], "predictions")
    labelled = new["type"][rows] >= 0
    wrong = int((best[labelled] != new["type"][rows][labelled]).sum())
    share = f"{wrong} of {len(rows)} rows" if labelled.all() else f"weight {wrong} of {labelled.sum()}, {len(rows)} rows"
    print(f"Error: {wrong / labelled.sum():.6g} ({share})")


def folds(path, without=""):
    """The folds of the labelled cells of csc.h5ad, but those of one donor: one donor each."""
    c = cells(300, 1)
    chosen = (c["type"] >= 0) & (c["donor"] != (DONORS.index(without) if without else -1))
    donor, fold = c["donor"][chosen], np.loadtxt(path).astype(int)
    check(len(fold) == len(donor), f"{len(fold)} folds of {len(donor)} cells")
    check(len(set(zip(donor, fold))) == len(set(donor)) == len(set(fold)), f"donors and folds: {set(zip(donor, fold))}")


if __name__ == "__main__":
    {"write": write, "same": same, "predicted": predicted, "folds": folds}[sys.argv[1]](*sys.argv[2:])
