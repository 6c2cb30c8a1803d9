"""Write malicious files of a few kilobytes: they declare data that they do not store,
link to other files, or have invalid labels.

Usage: malicious_files.py MODEL.h5 - any small model; copies of it are changed.
"""
import os
import shutil
import struct
import sys

import h5py
import numpy as np

SHARED = 65536  # strings that all refer to the same megabyte of the file


def declare(parent, name, shape, dtype, chunk=16, **how):
    """An array without stored data."""
    shape = np.atleast_1d(shape)
    chunks = (1,) * (len(shape) - 1) + (chunk,)
    parent.create_dataset(name, shape=tuple(int(n) for n in shape), dtype=dtype, chunks=chunks,
                          maxshape=(None,) * len(shape), **how)


def replace(name, shape, dtype, **how):
    """A change: replace an array by its declaration."""
    def change(file):
        if name in file:
            del file[name]
        declare(file, name, shape, dtype, **how)
    return change


def put(name, value):
    """A change: add an object."""
    def change(file):
        file[name] = value
    return change


def instead(name, value):
    """A change: replace an object."""
    def change(file):
        del file[name]
        file[name] = value
    return change


def attribute(of, name, value):
    """A change: set an attribute."""
    def change(file):
        file[of].attrs[name] = value
    return change


def write(name, *changes):
    """Write six rows in four columns, after these changes."""
    with h5py.File(name + ".h5", "w") as file:
        group = file.create_group("X")
        group.attrs["shape"] = [6, 4]
        group["data"] = np.arange(1.0, 7.0, dtype="f4")
        group["indices"] = np.array([0, 1, 2, 3, 0, 1], "i4")
        group["indptr"] = np.arange(7)
        file["y"] = np.array([1.0, -1.0] * 3)
        file["obs/ct/codes"] = np.array([0, 1] * 3, "i1")
        file["obs/ct/categories"] = np.array([3.0, 5.0])
        for change in changes:
            change(file)


def write_dense(name, rows, columns, **how):
    """Write a dense X without stored data, with matching labels."""
    with h5py.File(name + ".h5", "w") as file:
        declare(file, "X", (rows, columns), "f4", **how)
        declare(file, "y", rows, "f8")


def patch(name, old, new):
    """Replace these bytes everywhere in a file."""
    with open(name + ".h5", "rb") as file:
        content = file.read()
    assert old in content, (name, old)
    with open(name + ".h5", "wb") as file:
        file.write(content.replace(old, new))


def put_labels(*values):
    """Labels with an attribute that declares them -1 and +1."""
    def change(file):
        instead("y", np.array(values))(file)
        file["y"].attrs["labels"] = [2.0, 7.0]
    return change


def put_codes(*values):
    """Codes with string categories."""
    def change(file):
        instead("obs/ct/codes", np.array(values))(file)
        instead("obs/ct/categories", ["a", "b"])(file)
    return change


def put_raw(name, where, dtype="f4", count=6):
    """An array with values in an external file."""
    def change(file):
        del file[name]
        file.create_dataset(name, (count,), dtype, external=[(where, 0, h5py.h5f.UNLIMITED)])
    return change


def put_compact(file):
    """Labels stored in the object header."""
    del file["y"]
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_layout(h5py.h5d.COMPACT)
    array = h5py.h5d.create(file.id, b"y", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((6,)), made)
    array.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1.0, -1.0] * 3))


def put_shared_texts(file):
    """Categories that all refer to the same string in the file."""
    text = h5py.string_dtype()
    del file["obs/ct/categories"]
    one = file.create_dataset("one", (1,), text, chunks=(1,))
    one[0] = "a" * 2**20
    file.flush()
    _, place = one.id.read_direct_chunk((0,))
    many = file.create_dataset("obs/ct/categories", (SHARED,), text, chunks=(SHARED,))
    many.id.write_direct_chunk((0,), place * SHARED)


def write_sizes():
    """Files that declare more than they store."""
    write("row", replace("X/data", 2**62, "f4"), replace("X/indices", 2**62, "i4"),
          instead("X/indptr", np.array([0, 2**62])), attribute("X", "shape", [1, 4]), instead("y", np.ones(1)))
    write("offsets", replace("X/indptr", 2**62 + 1, "i8"), replace("y", 2**62, "f8"),
          attribute("X", "shape", np.array([2**62, 4])))
    write("labels", replace("y", 2**61, "f8"))
    write("wrapped", replace("y", 2**63 - 1, "f8"))
    write("categories", replace("obs/ct/categories", 2**61, "f8"))
    write("words", replace("obs/ct/categories", 2**61, h5py.string_dtype()))
    write("all-words", replace("obs/ct/categories", 2**63 - 1, h5py.string_dtype()))
    write("wide-words", replace("obs/ct/categories", 2**30, "S4096"))
    write("chunk", replace("y", 6, "f8", chunk=2**28, compression="gzip"))
    write("shared", put_shared_texts)
    write_dense("dense", 6, 2**31 - 2)
    write_dense("dense-gzip", 2**31, 6, compression="gzip")
    write_dense("no-columns", 2**32 - 4096, 0)
    for power in (33, 40):
        write_dense(f"rows{power}", 2**power, 1)
    write("compact", put_compact)
    patch("compact", b"\x03\x00" + struct.pack("<H", 48), b"\x03\x00" + struct.pack("<H", 0))
    write("beyond", instead("y", np.ones(12345)))  # a contiguous array far beyond the end of the file
    patch("beyond", struct.pack("<Q", 12345), struct.pack("<Q", 2**40))
    patch("beyond", struct.pack("<Q", 8 * 12345), struct.pack("<Q", 2**43))


def write_shapes():
    """Invalid sizes of a matrix."""
    for name, shape in (("int64", np.array([2**63 - 1, 4])), ("uint64", np.array([2**64 - 1, 4], "u8")),
                        ("infinite", np.array([np.inf, 4.0])), ("nan", np.array([np.nan, 4.0])),
                        ("fraction", np.array([6.7, 4.0])), ("negative", np.array([-7, 4])),
                        ("columns", np.array([6, -4])), ("real", np.array([6.0, 4.0]))):
        write(f"shape-{name}", attribute("X", "shape", shape))
    for name, version in (("99", 99), ("fraction", 1.5), ("0", 0)):
        write(f"format-{name}", attribute("/", "format", "sdca-data"), attribute("/", "format-version", version))


def write_labels():
    """Invalid labels."""
    write("signs", put_labels(1.0, -1.0, 1.0, -1.0, -1.0, 1.0))
    write("signs-nan", put_labels(1.0, -1.0, 1.0, -1.0, np.nan, 1.0))
    write("signs-five", put_labels(1.0, 5.0, 1.0, -1.0, 1.0, 1.0))
    write("signs-zero", put_labels(0.0, -1.0, 1.0, -1.0, 1.0, 1.0))
    write("codes", put_codes(0.0, 1.0, 0.0, 1.0, 0.0, 1.0))
    write("codes-fraction", put_codes(0.0, 1.0, 0.5, 1.0, 0.0, 1.0))
    write("codes-beyond", put_codes(0, 1, 0, 1, 2, 1))
    write("codes-negative", put_codes(0, 1, 0, 1, 0, -2))
    write("codes-nan", put_codes(0.0, 1.0, 0.0, np.nan, 0.0, 1.0))
    write("codes-missing", put_codes(0, -1, 0, 1, 0, 1))


def write_links():
    """Links out of the file."""
    os.mkfifo("pipe")
    os.mkdir("folder")
    np.arange(1.0, 7.0, dtype="f4").tofile("raw.bin")
    write("plain")
    for name, target in (("link", "plain.h5"), ("link-pipe", "pipe"), ("link-missing", "nowhere.h5"),
                         ("link-folder", "folder"), ("link-absolute", os.path.abspath("plain.h5"))):
        write(name, instead("y", h5py.ExternalLink(target, "y")))
    write("link-x", instead("X", h5py.ExternalLink("plain.h5", "X")))
    write("link-chain", instead("y", h5py.ExternalLink("link.h5", "y")))
    write("link-chain-pipe", instead("y", h5py.ExternalLink("link-pipe.h5", "y")))
    write("link-soft", put("labels", np.array([1.0, -1.0] * 3)), instead("y", h5py.SoftLink("/labels")))
    write("link-soft-out", put("out", h5py.ExternalLink("plain.h5", "y")), instead("y", h5py.SoftLink("/out")))
    write("link-nowhere", instead("y", h5py.SoftLink("/nowhere")))
    write("link-names", put("label_names", h5py.ExternalLink("plain.h5", "y")))
    write("link-weight", put("weight", h5py.ExternalLink("pipe", "y")))
    write("link-var", put("var", h5py.ExternalLink("pipe", "var")))
    write("link-user", instead("y", h5py.ExternalLink("plain.h5", "y")))
    patch("link-user", b"\x40\x01y", b"\x41\x01y")  # an undefined link type
    write("raw", put_raw("X/data", "raw.bin"))
    write("raw-pipe", put_raw("X/data", "pipe"))
    write("raw-words", put_raw("obs/ct/categories", "pipe", "S4", 2))
    with h5py.File("virtual-words.h5", "w") as file:
        layout = h5py.VirtualLayout(shape=(2,), dtype="S4")
        layout[:] = h5py.VirtualSource("pipe", "y", shape=(2,))
        file["X"] = np.ones((6, 4))
        file["obs/ct/codes"] = np.array([0, 1] * 3, "i1")
        file.create_virtual_dataset("obs/ct/categories", layout)


def write_models(model):
    """Models that declare more than they store."""
    def change(name, action):
        shutil.copy(model, name + ".h5")
        with h5py.File(name + ".h5", "r+") as file:
            action(file)

    def grow(group):
        def action(file):
            for name in list(file[group]):
                replace(f"{group}/{name}", 2**61, "f8")(file)
        return action

    change("model-history", grow("history"))
    change("model-rounds", grow("rounds"))
    change("model-names", replace("column_names", 2**61, h5py.string_dtype()))
    change("model-link", instead("w", h5py.ExternalLink("pipe", "w")))
    change("model-wide", replace("w", 2**31 - 2, "f8", chunk=1024))  # chunked, as in models with few non-zero weights


def write_fine():
    """Unusual but valid files."""
    write("fine-unwritten", replace("X/data", 6, "f4"))
    with h5py.File("fine-packed.h5", "w") as file:  # 24 MB compressed to about 24 KB
        file["X"] = np.ones((1, 1))
        file.create_dataset("y", data=np.zeros(3_000_000), compression="gzip", compression_opts=9)
        file.create_dataset("obs/constant", data=np.zeros(3_000_000), chunks=(10**6,), scaleoffset=3)


write_sizes()
write_shapes()
write_labels()
write_links()
write_models(sys.argv[1])
write_fine()
