#!/usr/bin/env python3
"""Checkpoints as seen from outside: read, checked, damaged and sealed again with h5py,
numpy and zlib alone. Usage: checkpoint_tool.py COMMAND ARGUMENT...; see COMMANDS."""
import sys
import zlib

import h5py
import numpy as np
import oracle

SEAL_SIZE = 512


def seal_of(content):
    """The first bytes that a file with this content after them should have."""
    text = f"sdca seal 1\nbytes {len(content)}\ncrc32 {zlib.crc32(content):08x}\n"
    return text.encode().ljust(SEAL_SIZE, b"\0")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def is_whole(path):
    content = read(path)
    return content[:SEAL_SIZE] == seal_of(content[SEAL_SIZE:])


def reseal(path):
    content = read(path)[SEAL_SIZE:]
    write(path, seal_of(content) + content)


def print_round(path):
    """The round of a checkpoint, which must be whole."""
    oracle.check(is_whole(path), f"{path} is not as it was sealed")
    with h5py.File(path, "r") as file:
        print(int(file.attrs["round"]))


def arrays(file):
    """The datasets of an open file that take any room in it."""
    found = []
    file.visititems(lambda name, item: found.append(item)
                    if isinstance(item, h5py.Dataset) and item.id.get_storage_size() > 0 else None)
    return found


def place(array):
    """Where an array has its bytes, or the first of its chunks that is there, and these."""
    if array.chunks is None:
        return array.id.get_offset(), array[()].tobytes()
    chunk = array.id.get_chunk_info(0)
    first = chunk.chunk_offset[0]
    return chunk.byte_offset, array[first:first + array.chunks[0]].tobytes()


def spots(path):
    """(name, offset) of a byte in each array, and of each kind of byte that is in none."""
    content = read(path)
    with h5py.File(path, "r") as file:
        for array in arrays(file):
            offset, raw = place(array)
            # Some versions count from the user block on.
            offset += 0 if content[offset:offset + len(raw)] == raw else SEAL_SIZE
            oracle.check(content[offset:offset + len(raw)] == raw, f"{array.name} is not at {offset}")
            yield array.name, offset + len(raw) // 2
    for name, text in (("attribute-name", b"format-version"), ("attribute-text", b"sdca-checkpoint"),
                       ("seal-number", b"crc32"), ("seal-name", b"sdca seal"), ("signature", b"\x89HDF")):
        offset = content.find(text)
        oracle.check(offset >= 0, f"there is no {text} in {path}")
        yield name, offset + len(text) // 2
    yield "seal-rest", SEAL_SIZE - 1
    yield "last-byte", len(content) - 1


def flip(path, offset, bit=0):
    """Change a bit."""
    content = bytearray(read(path))
    content[offset] ^= 1 << bit
    write(path, content)


def zero(path, offset):
    """Lose the sector of a byte; of one that is all zero, the byte."""
    content = bytearray(read(path))
    first = offset // 512 * 512
    lost = content[first:first + 512]
    if any(lost):
        content[first:first + 512] = bytes(len(lost))
    else:
        content[offset] ^= 0xff
    write(path, content)


def flip_alpha(path):
    """Change a bit of alpha."""
    flip(path, dict(spots(path))["/alpha"])


def zero_heap(path):
    """Lose what HDF5 has of texts: some versions of it then never come back."""
    content = bytearray(read(path))
    place = content.find(b"GCOL") + 16
    oracle.check(place > 16, f"there is no text in {path}")
    content[place:place + 480] = bytes(480)
    write(path, content)


def set_version(path, version):
    """A file of another format, whole all the same."""
    with h5py.File(path, "r+") as file:
        file.attrs.modify("format-version", np.int64(version))
    reseal(path)


def change_data(path, name):
    """One number of a data file is another: same shape, other data."""
    with h5py.File(path, "r+") as file:
        array = file[name]
        array[7] = -array[7]


def dual(data, path):
    """D of a checkpoint's alpha for the hinge loss, which no file says; its w is of this
    alpha."""
    x, y = oracle.read_data(data)
    y = oracle.signs(y)
    with h5py.File(path, "r") as file:
        alpha, w, lam = file["alpha"][:], file["w"][:], file.attrs["lambda"]
    oracle.near(x.T @ alpha / (lam * len(y)), w, 1e-9, "w of the checkpoint's alpha")
    oracle.check(np.all((alpha * y >= 0.0) & (alpha * y <= 1.0)), "alpha is not feasible")
    return np.mean(alpha * y) - lam / 2.0 * np.dot(w, w)


def history_of(path, group="history"):
    """The arrays of a group by name. Rounds of Newton's have no log."""
    with h5py.File(path, "r") as file:
        return {name: array[:] for name, array in file[group].items()} if group in file else {}


def check_same(first, second):
    """Two models are of one run, bit by bit: all but the seconds."""
    oracle.check(np.array_equal(oracle.read_w(first), oracle.read_w(second)), "the weights differ")
    for group in ("history", "rounds"):
        one, other = history_of(first, group), history_of(second, group)
        oracle.check(one.keys() == other.keys(), f"{group} differs: {list(one)} and {list(other)}")
        for name in one:
            oracle.check(name == "seconds" or np.array_equal(one[name], other[name], equal_nan=True),
                         f"{group} differs in {name}: {one[name]} and {other[name]}")
        for columns in (one, other):
            oracle.check(np.all(np.diff(columns.get("seconds", [])) >= 0.0), "time runs backwards")


def check_went_on(data, before, summary, history):
    """A run that went on from the checkpoint before (kept aside) with other ranks: its
    history begins with what was there, and its first new evaluation is no worse than the
    alpha that it was handed."""
    was, now = history_of(before), oracle.read_history(history)
    old = len(was["round"])
    with h5py.File(before, "r") as file:
        seconds, place = file.attrs["seconds"], file.attrs["round"]
    oracle.check(len(now["round"]) > old, "nothing was evaluated since")
    for name in was:
        oracle.check(np.array_equal(was[name], now[name][:old], equal_nan=True), f"another past: {name}")
    oracle.check(now["round"][old] >= place, f"round {now['round'][old]} after {place}")
    oracle.check(now["seconds"][old] >= seconds, f"{now['seconds'][old]} s after {seconds}")
    oracle.check(oracle.read_summary(summary)["seconds"]["total"] >= seconds, "the total forgets")
    least = dual(data, before)
    oracle.check(now["dual"][old] >= least - 1e-12, f"dual {now['dual'][old]} after {least}")


def check_optimum(first, second):
    """Two certified models of one problem: P apart by no more than their gaps."""
    with h5py.File(first, "r") as one, h5py.File(second, "r") as other:
        one, other = dict(one["certificate"].attrs), dict(other["certificate"].attrs)
    apart = abs(one["primal"] - other["primal"])
    oracle.check(apart <= max(one["gap"], other["gap"]), f"P is {apart} apart: {one}, {other}")


COMMANDS = {
    "round": print_round, "flip-alpha": flip_alpha, "zero-heap": zero_heap, "version": set_version,
    "change-data": change_data, "same": check_same, "went-on": check_went_on, "optimum": check_optimum,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
