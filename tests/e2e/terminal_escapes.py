"""Files with strings that attack a terminal: escape sequences, line breaks, C1 controls
and invalid UTF-8, wherever a string of a file may be shown."""
import sys

import h5py
import numpy as np

EVIL = "\x1b[31mred\x1b[0m\rback\nsdca: all is well\x07\x9b2J\x7f"
RAW = b"\xff\xfe\x1b[2J\n"


def texts(values):
    return {"data": np.array(values, dtype=object), "dtype": h5py.string_dtype()}


def write_data(path, change):
    """Write six rows with an obs and a var, after change(file)."""
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", (6, 2)
        group["data"], group["indices"] = np.arange(1.0, 7.0), np.array([0, 1, 0, 1, 0, 1])
        group["indptr"] = np.arange(7)
        file["y"] = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0])
        change(file)


def labels(file):
    file.create_dataset("label_names", **texts([EVIL, "\x1b]0;title\x07" + "x" * 10]))
    file["y"].attrs["labels"] = [0.0, 1.0]
    file["y"][:] = [1.0, -1.0] * 3


def raw_labels(file):
    file["label_names"] = np.array([RAW, b"\x9b"])


def encoding(file):
    file["X"].attrs["encoding-type"] = EVIL


def obs(file):
    group = file.create_group("obs")
    group[EVIL.replace("/", "")] = np.arange(6.0)


def names(file):
    var = file.create_group("var")
    for name in ("_index", "column", "category"):
        var.create_dataset(name, **texts([EVIL, "b\x1b[1m"]))


def normalize(file):
    file.attrs["normalize"] = EVIL


def edit(path, name):
    """Write a copy of a model with one string replaced."""
    where, attribute = name.split(":")
    with open(path, "rb") as file:
        content = file.read()
    with open(f"evil-{attribute}.h5", "wb") as file:
        file.write(content)
    with h5py.File(f"evil-{attribute}.h5", "r+") as file:
        file[where].attrs[attribute] = EVIL


def main(command, *arguments):
    if command == "data":
        for change in (labels, raw_labels, encoding, obs, names, normalize):
            write_data(f"evil-{change.__name__}.h5", change)
    else:
        edit(*arguments)


main(*sys.argv[1:])
