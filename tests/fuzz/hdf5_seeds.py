"""The seed files of fuzz_hdf5.py: small files of every form that the program reads."""
import os
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
    labels = np.sign(dense @ np.arange(-3.0, COLUMNS - 3.0) + 0.1)
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


# Files written by h5py: name, function, and the column of obs with the labels.
WRITTEN = [
    ("sparse.h5", sparse, None), ("narrow.h5", narrow, None), ("packed.h5", packed, None), ("dense.h5", dense_rows, None),
    ("dense_packed.h5", dense_packed, None), ("weighted.h5", weighted, None), ("words.h5", words, None),
    ("fixed_words.h5", fixed_words, None),
    ("kind.h5ad", word_categories, "kind"), ("level.h5ad", number_categories, "level"), ("old.h5ad", old_categories, "old"),
    ("several.h5", several, None),
]


def write_text():
    """The same rows as text, and a table with strings."""
    with open("rows.txt", "w", encoding="ascii") as file:
        for row, y in zip(DENSE, LABELS):
            print(f"{y:+.0f}", *(f"{j + 1}:{x:.6g}" for j, x in enumerate(row) if x), file=file)
    with open("table.csv", "w", encoding="ascii") as file:
        print("size,colour,label", file=file)
        for row, y in zip(DENSE, LABELS):
            print(f"{row[1]:.6g},{'red' if row[2] > 0 else 'blue'},{'yes' if y > 0 else 'no'}", file=file)


def make(sdca, environment):
    """Write all seed files here. Returns (name, kind, label) of each; kind is data, model or
    checkpoint."""
    found = []
    for name, write, label in WRITTEN:
        with h5py.File(name, "w") as file:
            write(file)
        found.append((name, "data", label))
    write_text()
    train = ["train", "made.h5", "--quiet", "--deterministic", "--lambda"]
    for line, exits in [
            (["convert", "rows.txt", "made.h5", "--quiet"], 0),
            (["convert", "table.csv", "table.h5", "--quiet"], 0),
            (train + ["0.1", "-o", "model.h5"], 0),
            (train + ["0.1", "-o", "sure.h5", "--loss", "logistic", "--bias", "1", "--test", "made.h5"], 0),
            (["train", "table.h5", "--quiet", "--lambda", "0.1", "-o", "named.h5"], 0),
            (["train", "several.h5", "--quiet", "--lambda", "0.1", "--bias", "1", "-o", "classes.h5"], 0),
            (train + ["0.1", "-o", "real.h5", "--loss", "squared"], 0),
            (train + ["0.01", "-o", "unused.h5", "--checkpoint", "run.h5", "--rounds", "3", "--rel-gap", "1e-9"], 3),
            (["train", "table.h5", "--quiet", "--lambda", "0.01", "-o", "unused.h5", "--checkpoint", "long.h5", "--solver",
              "newton", "--rounds", "2", "--rel-gap", "1e-12"], None)]:
        done = subprocess.run([sdca] + line, capture_output=True, text=True, timeout=120, check=False, env=environment)
        if exits is not None and done.returncode != exits:
            raise SystemExit(f"fuzz: {line} ended with {done.returncode}: {done.stderr}")
    found += [("made.h5", "data", None), ("table.h5", "data", None)]
    found += [(name, "model", None) for name in ("model.h5", "sure.h5", "named.h5", "classes.h5", "real.h5")]
    found += [(name, "checkpoint", None) for name in ("run.h5", "long.h5")]
    os.remove("unused.h5")
    return found
