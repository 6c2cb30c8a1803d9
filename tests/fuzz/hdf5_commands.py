"""The commands of fuzz_hdf5.py that read bad.h5, for each kind of file of hdf5_seeds.py."""
import hdf5_seeds

TRAIN = ["--lambda", "0.1", "--epochs", "3", "-o", "out.h5"]
RESUME = ["--resume", "--deterministic", "-o", "out.h5"]

# Each entry: the words of the command, and the files that it may write.
MODEL = [
    (["info", "bad.h5"], []),
    (["predict", "bad.h5", "made.h5"], []),
    (["predict", "bad.h5", "table.h5", "-o", "out.csv"], ["out.csv"]),
    (["predict", "bad.h5", "several.h5", "--metrics", "out.json", "-o", "out.h5"], ["out.json", "out.h5"]),
    (["export", "bad.h5", "out.txt"], ["out.txt"]),
    (["export", "bad.h5", "out.txt", "--format", "text", "--names"], ["out.txt"]),
    (["export", "bad.h5", "out.json", "--format", "json"], ["out.json"]),
    (["report", "bad.h5", "model.h5", "-o", "out.html"], ["out.html"]),
    (["report", "bad.h5", "--test", "made.h5", "-o", "out.html"], ["out.html"]),
    (["bound", "--model", "bad.h5", "--data", "made.h5"], []),
    (["verify", "bad.h5", "made.h5"], []),
    (["train", "made.h5", "--warm-start", "bad.h5"] + TRAIN, ["out.h5"]),
]


def of_data(labels):
    """A data file; labels are the options that find its labels."""
    return [
        (["info", "bad.h5"], []),
        (["train", "bad.h5"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--loss", "squared", "--normalize", "rows"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--standardize", "full", "--intercept", "--class-weight", "balanced"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--keep-dual"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--lambda", "1,0.1", "--folds", "2", "--epochs", "3", "--fold-file", "out.txt", "--selection", "out.csv",
          "-o", "out.h5"] + labels, ["out.h5", "out.txt", "out.csv"]),
        (["train", "made.h5", "--test", "bad.h5"] + TRAIN, ["out.h5"]),
        (["train", "made.h5", "--lambda", "1,0.1", "--validation", "bad.h5", "--calibrate", "--epochs", "3", "-o", "out.h5"],
         ["out.h5"]),
        (["predict", "model.h5", "bad.h5", "--metrics", "out.json"] + labels, ["out.json"]),
        (["predict", "named.h5", "bad.h5", "--unlabelled", "-o", "out.csv"], ["out.csv"]),
        (["predict", "sure.h5", "bad.h5", "-o", "out.h5"] + labels, ["out.h5"]),
        (["predict", "chosen.h5", "bad.h5", "-o", "out.csv"] + labels, ["out.csv"]),
        (["report", "sure.h5", "--test", "bad.h5", "-o", "out.html"] + labels, ["out.html"]),
        (["verify", "dual.h5", "bad.h5"], []),
        (["verify", "duals.h5", "bad.h5"], []),
        (["convert", "table.csv", "out.h5", "--like", "bad.h5"], ["out.h5"]),
        (["bound", "--model", "model.h5", "--data", "bad.h5"] + labels, []),
    ]


def of_parts(labels):
    """AnnData with layers and columns of obs."""
    parts = hdf5_seeds.PARTS + labels
    matrices = [(["train", "bad.h5", "--x", name] + TRAIN + labels, ["out.h5"]) for name in ("raw/X", "layers/norm", "obsm/pca")]
    return of_data(labels) + matrices + [
        (["train", "bad.h5"] + parts + TRAIN, ["out.h5"]),
        (["train", "bad.h5", "--where", "donor=d1,d2", "--covariates", "flag,kind"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--where", "age!=21.5"] + TRAIN + labels, ["out.h5"]),
        (["train", "bad.h5", "--lambda", "1,0.1", "--folds", "3", "--fold-groups", "donor", "--epochs", "3", "-o", "out.h5"] + labels,
         ["out.h5"]),
        (["predict", "cells.h5", "bad.h5", "-o", "out.csv"], ["out.csv"]),
        (["predict", "cells.h5", "bad.h5", "--missing-columns", "zero", "--metrics", "out.json"], ["out.json"]),
        (["report", "cells.h5", "--test", "bad.h5", "-o", "out.html"], ["out.html"]),
    ]


def of_tables():
    """A data file that was made from a table."""
    return of_data([]) + 2 * [
        (["convert", "table.csv", "out.h5", "--like", "bad.h5"], ["out.h5"]),
        (["convert", "gaps.csv", "out.h5", "--like", "bad.h5"], ["out.h5"]),
        (["predict", "schema.h5", "bad.h5", "-o", "out.csv"], ["out.csv"]),
    ]


def of_schemas(table):
    """A model that knows the columns of this table."""
    return MODEL + 3 * [
        (["predict", "bad.h5", table, "-o", "out.csv", "--metrics", "out.json"], ["out.csv", "out.json"]),
        (["predict", "bad.h5", table, "-o", "out.h5", "--unknown", "error"], ["out.h5"]),
    ]


def of_checkpoints(data, options):
    """A checkpoint of a training of data with these options."""
    return MODEL + 4 * [
        (["train", data, "--from", "bad.h5"] + options + RESUME, ["out.h5", "fits"]),
        (["train", data, "--checkpoint", "bad.h5"] + options + RESUME, ["out.h5", "fits", "bad.h5.1"]),
    ]


def choose(rng, kind, label):
    """Words of a command for bad.h5, and its outputs."""
    labels = ["--label", label] if label else []
    kind, _, other = kind.partition(" ")
    lines = {
        "data": lambda: of_data(labels),
        "parts": lambda: of_parts(labels),
        "table": of_tables,
        "model": lambda: MODEL,
        "schema": lambda: of_schemas(other),
        "cells": lambda: MODEL + 3 * [
            (["predict", "bad.h5", "parts.h5ad", "-o", "out.csv"], ["out.csv"]),
            (["report", "bad.h5", "--test", "parts.h5ad", "-o", "out.html"], ["out.html"])],
        "dual": lambda: MODEL + 6 * [(["verify", "bad.h5", other], [])],
        "checkpoint": lambda: of_checkpoints("made.h5", ["--lambda", "0.01", "--rounds", "5"]),
        "batch": lambda: of_checkpoints("several.h5", ["--lambda", "0.01", "--rounds", "5"]),
        "path": lambda: of_checkpoints("made.h5", hdf5_seeds.PATH + ["--rounds", "5"]),
        "choice": lambda: of_checkpoints("made.h5", hdf5_seeds.CHOICE),
    }[kind]()
    words, outputs = rng.choice(lines)
    quiet = ["--quiet"] if words[0] not in ("info", "bound") and rng.random() < 0.7 else []
    return words + quiet, outputs
