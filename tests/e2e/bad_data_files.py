"""Write data files with one error in each; 6 rows, 5 columns, 13 non-zeros."""
import zlib

import h5py
import numpy as np


def write(name, change=None, dense=None):
    """Write the valid file after change(file)."""
    with h5py.File(name + ".h5", "w") as file:
        if dense is not None:
            file["X"] = dense
        else:
            group = file.create_group("X")
            group.attrs["encoding-type"] = "csr_matrix"
            group.attrs["encoding-version"] = "0.1.0"
            group.attrs["shape"] = (6, 5)
            group["data"] = np.arange(1.0, 14.0)
            group["indices"] = np.array([0, 2, 1, 3, 0, 1, 4, 2, 3, 1, 2, 0, 4], dtype=np.int64)
            group["indptr"] = np.array([0, 2, 4, 7, 9, 11, 13], dtype=np.int64)
        file["y"] = np.array([1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
        if change is not None:
            change(file)


def put(path, place, value):
    """Set one number of an array."""
    def change(file):
        file[path][place] = value
    return change


def replace(path, values):
    """Replace an array."""
    def change(file):
        del file[path]
        if values is not None:
            file[path] = values
    return change


def attribute(name, value):
    """Replace or remove an attribute of X."""
    def change(file):
        del file["X"].attrs[name]
        if value is not None:
            file["X"].attrs[name] = value
    return change


def packed(path, values, **how):
    """Replace an array by a compressed one."""
    def change(file):
        del file[path]
        file.create_dataset(path, data=values, chunks=values.shape, **how)
    return change


def packed_by_number(file):
    """Values with an unregistered filter."""
    del file["X/data"]
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    made.set_chunk((13,))
    made.set_filter(399, h5py.h5z.FLAG_OPTIONAL)
    array = h5py.h5d.create(file["X"].id, b"data", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((13,)), made)
    array.write_direct_chunk((0,), b"packed")


def words(file):
    """String labels, compressed."""
    column = file.create_group("obs/kind")
    column["codes"] = np.array([0, 1, 0, 1, 1, 0], dtype=np.int8)
    column.create_dataset("categories", data=np.array([b"a" * 99, b"b" * 99]), compression="lzf")


with open("text.h5", "w", encoding="utf-8") as text:
    text.write("+1 1:1\n-1 2:1\n" * 100)
with open("empty.h5", "wb"):
    pass
write("whole")
with open("whole.h5", "rb") as whole, open("truncated.h5", "wb") as truncated:
    truncated.write(whole.read()[:-100])

write("no-x", replace("X", None))
write("no-y", replace("y", None))
write("no-shape", attribute("shape", None))
write("no-indptr", replace("X/indptr", None))
write("coo", attribute("encoding-type", "coo_matrix"))
write("text-values", replace("X/data", np.array([b"1"] * 13)))
write("real-indices", replace("X/indices", np.zeros(13)))
write("three-dimensional", dense=np.zeros((6, 5, 2)))
write("one-dimensional", dense=np.zeros(6))
write("square-values", replace("X/data", np.ones((13, 13))))
write("no-rows", dense=np.zeros((0, 5)))
write("nan", put("X/data", 9, np.nan))
write("infinite", put("X/data", 0, -np.inf))
write("overflow", put("X/data", 9, 1e200))  # its square overflows a double
write("dense-nan", dense=np.where(np.arange(30).reshape(6, 5) == 11, np.nan, 1.0))
write("column-beyond", put("X/indices", 8, 9))
write("column-negative", put("X/indices", 7, -1))
write("column-huge", put("X/indices", 8, 2**40))
write("duplicate", put("X/indices", 4, 1))
write("descending", put("X/indptr", 2, 1))
write("offset-first", put("X/indptr", 0, 1))
write("offset-beyond", put("X/indptr", 6, 14))
write("offset-short", put("X/indptr", 6, 12))
write("short-indptr", replace("X/indptr", np.array([0, 2, 4, 7, 9, 13])))
write("short-indices", replace("X/indices", np.arange(12) % 5))
write("short-y", replace("y", np.ones(5)))
write("nan-label", put("y", 1, np.nan))
write("weights", lambda file: file.create_dataset("weight", data=[1.0, 1.0, 0.0, 1.0, -1.0, 1.0]))
write("text-labels", replace("y", np.array([b"yes", b"no", b"yes", b"no", b"no", b"yes"])))
write("other-names", lambda file: file.create_dataset("label_names", data=["no", "yes"]))
write("flat-labels", replace("y", np.ones((6, 1))))
write("table-labels", lambda file: (replace("y", np.ones((6, 9999)))(file),
                                   file["y"].attrs.create("labels", [-1.0, 1.0])))
write("wide", attribute("shape", (6, 2**31)))
write("long-shape", attribute("shape", (6, 5, 1)))
write("number-encoding", attribute("encoding-type", 7))
write("many-encodings", attribute("encoding-type", ["csr_matrix"] * 200))
write("many-fixed-encodings", attribute("encoding-type", np.array([b"csr_matrix"] * 200)))
write("vanishing", replace("X/data", np.full(13, 1e-200)))
write("huge", replace("X/data", np.full(13, 1e153)))
write("checked", lambda file: (replace("X/data", None)(file), file["X"].create_dataset(
    "data", data=np.arange(1.0, 14.0), chunks=(13,), fletcher32=True)))
with open("checked.h5", "r+b") as hurt:  # one byte; the array's checksum detects it
    at = hurt.read().rfind(np.arange(1.0, 14.0).tobytes())
    hurt.seek(at + 7)
    hurt.write(b"\x40")
write("heap")
with open("heap.h5", "r+b") as hurt:  # the heap that holds strings
    at = hurt.read().find(b"GCOL")
    hurt.seek(at + 16)
    hurt.write(bytes(480))
with h5py.File("long.h5", "w") as long:  # 4 GB of zeros each, compressed to 65 KB
    zeros = zlib.compress(bytes(2**26), 9)
    for array in (long.create_dataset("X", (2**32, 1), "u1", chunks=(2**26, 1), compression="gzip"),
                  long.create_dataset("y", (2**32,), "u1", chunks=(2**26,), compression="gzip")):
        for first in range(0, 2**32, 2**26):
            array.id.write_direct_chunk((first, 0)[:array.ndim], zeros)
with h5py.File("virtual.h5", "w") as virtual:
    layout = h5py.VirtualLayout(shape=(6,), dtype="f8")
    layout[:] = h5py.VirtualSource("whole.h5", "y", shape=(6,))
    virtual["X"] = np.random.default_rng(2).random((6, 5))
    virtual.create_virtual_dataset("y", layout)
write("lzf-values", packed("X/data", np.ones(13), compression="lzf"))
write("lzf-labels", packed("y", np.ones(6), compression="lzf"))
write("lzf-in-vain", packed("X/data", np.random.default_rng(1).random(13), compression="lzf"))
write("lzf-words", words)
write("unknown-filter", packed_by_number)
write("three-labels", put("y", 5, 0.5))
