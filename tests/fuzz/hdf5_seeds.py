"""The seed files of fuzz_hdf5.py: small files of every form that the program reads."""
import os
import shutil
import subprocess

import h5py
import numpy as np

ROWS, COLUMNS = 24, 7
TEXT = h5py.string_dtype()
NAMES = [f"gene{j}" for j in range(COLUMNS)]


def matrix():
    """A sparse matrix as data, indices and indptr, with labels."""
    rng = np.random.default_rng(5)
    dense = np.where(rng.random((ROWS, COLUMNS)) < 0.4, rng.normal(size=(ROWS, COLUMNS)), 0.0)
    dense[:, 0] = 1.0
    place = dense != 0.0
    labels = np.sign(dense @ np.arange(-3.0, COLUMNS - 3.0) + 2.1)
    return dense, dense[place], np.nonzero(place)[1], np.concatenate(([0], np.cumsum(place.sum(axis=1)))), labels


DENSE, DATA, INDICES, INDPTR, LABELS = matrix()


def put_sparse(file, real=np.float64, whole=np.int64, **how):
    """X as a group, with these types."""
    group = file.create_group("X")
    group.attrs["encoding-type"] = "csr_matrix"
    group.attrs["encoding-version"] = "0.1.0"
    group.attrs["shape"] = (ROWS, COLUMNS)
    group.create_dataset("data", data=DATA.astype(real), **how)
    group.create_dataset("indices", data=INDICES.astype(whole), **how)
    group.create_dataset("indptr", data=INDPTR.astype(np.int64), **how)


def sparse(file):
    put_sparse(file)
    file["y"] = LABELS


def narrow(file):
    put_sparse(file, np.float32, np.int32)
    file["y"] = (LABELS > 0).astype(np.int8)


def packed(file):
    put_sparse(file, chunks=(16,), compression="gzip", shuffle=True, fletcher32=True)
    file.create_dataset("y", data=LABELS, chunks=(8,), compression="gzip")


def dense_rows(file):
    file["X"] = DENSE
    file["y"] = LABELS


def dense_packed(file):
    file.create_dataset("X", data=DENSE.astype(np.float32), chunks=(5, 3), compression="gzip")
    file["y"] = DENSE @ np.arange(COLUMNS)


def weighted(file):
    """Sample weights."""
    put_sparse(file)
    file["y"] = LABELS
    file.create_dataset("weight", data=np.arange(ROWS) % 4, chunks=(8,), compression="gzip")


def words(file):
    """Labels with string names."""
    put_sparse(file)
    file["y"] = (LABELS > 0).astype(np.float64)
    file.create_dataset("label_names", data=np.array(["no", "yes"], dtype=object), dtype=TEXT)


def fixed_words(file):
    """The same with fixed-length strings."""
    put_sparse(file)
    file["y"] = (LABELS > 0).astype(np.float64)
    file["label_names"] = np.array([b"no", b"yes"])


def put_frame(file, name, index):
    """A data frame with only a string index."""
    group = file.create_group(name)
    group.attrs["encoding-type"], group.attrs["encoding-version"] = "dataframe", "0.2.0"
    group.attrs["_index"] = "_index"
    group.attrs["column-order"] = np.array([], dtype=TEXT)
    group.create_dataset("_index", data=np.array(index, dtype=object), dtype=TEXT)
    return group


def put_codes(obs, name, categories, form):
    """A categorical column."""
    group = obs.create_group(name)
    group.attrs["encoding-type"], group.attrs["encoding-version"] = "categorical", "0.2.0"
    group["codes"] = (LABELS > 0).astype(np.int8)
    group.create_dataset("categories", data=categories, dtype=form)


def word_categories(file):
    """AnnData with all kinds of columns."""
    put_sparse(file, np.float32, np.int32)
    put_frame(file, "var", NAMES)
    obs = put_frame(file, "obs", [f"cell{i}" for i in range(ROWS)])
    put_codes(obs, "kind", np.array(["sick", "well"], dtype=object), TEXT)
    obs["number"], obs["flag"] = LABELS, LABELS > 0


def number_categories(file):
    """Minimal AnnData."""
    put_sparse(file, np.float32, np.int32)
    put_codes(file.create_group("obs"), "level", np.array([1.5, 2.5]), None)


def old_categories(file):
    """The layout of AnnData 0.7."""
    file["X"] = DENSE
    file["obs/old"] = (LABELS > 0).astype(np.int8)
    file.create_dataset("obs/__categories/old", data=np.array(["a", "b"], dtype=object), dtype=TEXT)


def several(file):
    """Four classes."""
    file["X"] = DENSE
    file["y"] = np.arange(ROWS) % 4.0


def put_csc(parent, name):
    """A matrix by columns."""
    group = parent.create_group(name)
    group.attrs["encoding-type"], group.attrs["encoding-version"] = "csc_matrix", "0.1.0"
    group.attrs["shape"] = (ROWS, COLUMNS)
    place = DENSE.T != 0.0
    group["data"] = DENSE.T[place].astype(np.float32)
    group["indices"] = np.nonzero(place)[1].astype(np.int32)
    group["indptr"] = np.concatenate(([0], np.cumsum(place.sum(axis=1))))


def cell_parts(file):
    """AnnData with matrices by columns, layers, raw, obsm, missing labels, weights and donors."""
    put_csc(file, "X")
    put_csc(file, "layers/norm")
    put_csc(file, "raw/X")
    file["obsm/pca"] = DENSE[:, :3].astype(np.float32)
    for name in ("var", "raw/var"):
        var = put_frame(file, name, NAMES)
        var.create_dataset("symbol", data=np.array([f"s{j}" for j in range(COLUMNS)], dtype=object), dtype=TEXT)
    obs = put_frame(file, "obs", [f"cell{i}" for i in range(ROWS)])
    put_codes(obs, "kind", np.array(["sick", "well"], dtype=object), TEXT)
    obs["kind/codes"][3] = -1
    put_codes(obs, "donor", np.array(["d1", "d2", "d3"], dtype=object), TEXT)
    obs["donor/codes"][...] = np.arange(ROWS) % 3
    obs["age"], obs["flag"], obs["weight"] = np.arange(ROWS) + 20.5, LABELS > 0, np.arange(ROWS) % 3 + 1


# Files written by h5py: name, function, and the column of obs with the labels.
WRITTEN = [
    ("sparse.h5", sparse, None), ("narrow.h5", narrow, None), ("packed.h5", packed, None), ("dense.h5", dense_rows, None),
    ("dense_packed.h5", dense_packed, None), ("weighted.h5", weighted, None), ("words.h5", words, None),
    ("fixed_words.h5", fixed_words, None),
    ("kind.h5ad", word_categories, "kind"), ("level.h5ad", number_categories, "level"), ("old.h5ad", old_categories, "old"),
    ("several.h5", several, None), ("parts.h5ad", cell_parts, "kind"),
]

# A run with more options on parts.h5ad.
PARTS = ["--x", "layers/norm", "--names", "symbol", "--covariates", "age,donor", "--weight", "weight"]
# Several lambda, and the choice of one.
PATH = ["--lambda", "1:0.001:4", "--path", "fits"]
CHOICE = ["--lambda", "1:0.01:3", "--folds", "3", "--loss", "logistic"]


def write_text():
    """The same rows as text, and a table with strings."""
    with open("rows.txt", "w", encoding="ascii") as file:
        for row, y in zip(DENSE, LABELS):
            print(f"{y:+.0f}", *(f"{j + 1}:{x:.6g}" for j, x in enumerate(row) if x), file=file)
    with open("table.csv", "w", encoding="ascii") as file:
        print("size,colour,label", file=file)
        for row, y in zip(DENSE, LABELS):
            print(f"{row[1]:.6g},{'red' if row[2] > 0 else 'blue'},{'yes' if y > 0 else 'no'}", file=file)
    with open("gaps.csv", "w", encoding="ascii") as file:
        print("id,size,colour,town,heavy,label", file=file)
        for k, (row, y) in enumerate(zip(DENSE, LABELS)):
            print(f"r{k},{row[1] or 'NA'},{'red' if row[2] > 0 else ''},town{k % 9},{k % 3 + 1},{'yes' if y > 0 else 'no'}", file=file)


def start(sdca, environment, line, exits):
    """Run a command that must end with one of these statuses, and return the status."""
    done = subprocess.run([sdca] + line, capture_output=True, text=True, timeout=120, check=False, env=environment)
    if done.returncode not in exits:
        raise SystemExit(f"fuzz: {line} ended with {done.returncode}: {done.stderr}")
    return done.returncode


def part_of_path(sdca, environment):
    """A checkpoint part.h5 of a path that ran out of time; of a finished one on a machine that is too fast for it."""
    seconds = 0.02
    while not os.path.exists("part.h5"):
        start(sdca, environment, ["train", "made.h5", "--quiet", "--deterministic", "-o", "unused.h5", "--checkpoint", "part.h5",
                                  "--time", str(seconds)] + PATH, {0, 75})
        seconds *= 1.3


def make(sdca, environment):
    """Write all seed files here. Returns (name, kind, label) of each; kind is data, table, parts, model,
    dual (the name of its data behind a blank), checkpoint, path, choice or class checkpoint."""
    found = []
    for name, write, label in WRITTEN:
        with h5py.File(name, "w") as file:
            write(file)
        found.append((name, "parts" if write is cell_parts else "data", label))
    write_text()
    train = ["train", "made.h5", "--quiet", "--deterministic", "--lambda"]
    quick = ["--quiet", "--deterministic", "--lambda", "0.1"]
    for line, exits in [
            (["convert", "rows.txt", "made.h5", "--quiet"], {0}),
            (["convert", "table.csv", "table.h5", "--quiet"], {0}),
            (["convert", "gaps.csv", "gaps.h5", "--quiet", "--missing", "median", "--hash", "4", "--weight", "heavy", "--drop", "id"], {0}),
            (train + ["0.1", "-o", "model.h5"], {0}),
            (train + ["0.1", "-o", "sure.h5", "--loss", "logistic", "--bias", "1", "--test", "made.h5"], {0}),
            (["train", "table.h5", "--quiet", "--lambda", "0.1", "-o", "named.h5"], {0}),
            (["train", "several.h5", "--quiet", "--lambda", "0.1", "--bias", "1", "-o", "classes.h5"], {0}),
            (train + ["0.1", "-o", "real.h5", "--loss", "squared"], {0}),
            (["train", "gaps.h5", "-o", "schema.h5", "--loss", "logistic", "--intercept", "--standardize", "full"] + quick, {0}),
            (["train", "several.h5", "-o", "intercepts.h5", "--intercept", "--standardize", "scale"] + quick, {0}),
            (["train", "parts.h5ad", "-o", "cells.h5", "--label", "kind"] + PARTS + quick, {0}),
            (["train", "made.h5", "-o", "chosen.h5", "--calibrate", "--quiet", "--deterministic"] + CHOICE, {0}),
            (["train", "weighted.h5", "-o", "dual.h5", "--keep-dual", "--class-weight", "balanced"] + quick, {0}),
            (["train", "several.h5", "-o", "duals.h5", "--keep-dual", "--loss", "smooth-hinge"] + quick, {0}),
            (train + ["0.01", "-o", "unused.h5", "--checkpoint", "run.h5", "--rounds", "3", "--rel-gap", "1e-9"], {3}),
            (["train", "table.h5", "--quiet", "--lambda", "0.01", "-o", "unused.h5", "--checkpoint", "long.h5", "--solver",
              "newton", "--rounds", "2", "--rel-gap", "1e-12"], {0, 3}),
            (["train", "made.h5", "--quiet", "--deterministic", "-o", "unused.h5", "--checkpoint", "whole.h5"] + PATH, {0}),
            (["train", "made.h5", "--quiet", "--deterministic", "-o", "unused.h5", "--checkpoint", "choice.h5"] + CHOICE, {0}),
            (["train", "several.h5", "--quiet", "--deterministic", "--lambda", "0.01", "-o", "unused.h5", "--checkpoint",
              "batch.h5", "--rounds", "3", "--rel-gap", "1e-9"], {3})]:
        start(sdca, environment, line, exits)
    part_of_path(sdca, environment)
    os.remove("unused.h5")
    shutil.rmtree("fits")
    return found + [
        ("made.h5", "data", None), ("table.h5", "table", None), ("gaps.h5", "table", None),
        ("model.h5", "model", None), ("sure.h5", "model", None), ("named.h5", "schema table.csv", None),
        ("classes.h5", "model", None), ("real.h5", "model", None), ("schema.h5", "schema gaps.csv", None),
        ("intercepts.h5", "model", None), ("cells.h5", "cells", None), ("chosen.h5", "model", None),
        ("dual.h5", "dual weighted.h5", None), ("duals.h5", "dual several.h5", None),
        ("run.h5", "checkpoint", None), ("long.h5", "checkpoint", None), ("whole.h5", "path", None), ("part.h5", "path", None),
        ("choice.h5", "choice", None), ("batch.h5", "batch", None)]
