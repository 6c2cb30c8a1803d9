#!/usr/bin/env python3
"""Read, check, damage and reseal checkpoints with h5py, numpy and zlib, independently of
sdca. Usage: checkpoint_tool.py COMMAND ARGUMENT...; see COMMANDS."""
import sys
import zlib

import h5py
import numpy as np
import oracle

SEAL_SIZE = 512


def seal_of(content):
    """The header with the checksum of this content."""
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
    """Print the round of a checkpoint, which must be complete."""
    oracle.check(is_whole(path), f"{path} does not match its checksum")
    with h5py.File(path, "r") as file:
        print(int(file.attrs["round"]))


def arrays(file):
    """The datasets of an open file with stored data."""
    found = []
    file.visititems(lambda name, item: found.append(item)
                    if isinstance(item, h5py.Dataset) and item.id.get_storage_size() > 0 else None)
    return found


def place(array):
    """The offset and bytes of an array, or of its first stored chunk."""
    if array.chunks is None:
        return array.id.get_offset(), array[()].tobytes()
    chunk = array.id.get_chunk_info(0)
    first = chunk.chunk_offset[0]
    return chunk.byte_offset, array[first:first + array.chunks[0]].tobytes()


def spots(path):
    """(name, offset) of a byte in each array, and in each other part of the file."""
    content = read(path)
    with h5py.File(path, "r") as file:
        for array in arrays(file):
            offset, raw = place(array)
            # Some versions of h5py count from the end of the user block.
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
    """Flip a bit."""
    content = bytearray(read(path))
    content[offset] ^= 1 << bit
    write(path, content)


def zero(path, offset):
    """Zero the sector of a byte; if it is zero, change the byte."""
    content = bytearray(read(path))
    first = offset // 512 * 512
    lost = content[first:first + 512]
    if any(lost):
        content[first:first + 512] = bytes(len(lost))
    else:
        content[offset] ^= 0xff
    write(path, content)


def flip_alpha(path):
    """Flip a bit of alpha."""
    flip(path, dict(spots(path))["/alpha"])


def zero_heap(path):
    """Damage HDF5's string heap: some versions of HDF5 then hang."""
    content = bytearray(read(path))
    place = content.find(b"GCOL") + 16
    oracle.check(place > 16, f"there is no text in {path}")
    content[place:place + 480] = bytes(480)
    write(path, content)


def set_version(path, version):
    """A file of another format version with a valid checksum."""
    with h5py.File(path, "r+") as file:
        file.attrs.modify("format-version", np.int64(version))
    reseal(path)


def change_data(path, name):
    """Change one number of a data file: same shape, different data."""
    with h5py.File(path, "r+") as file:
        array = file[name]
        array[7] = -array[7]


def dual(data, path):
    """D of a checkpoint's alpha for the hinge loss, which no file records; w belongs to this
    alpha."""
    x, y = oracle.read_data(data)
    y = oracle.signs(y)
    with h5py.File(path, "r") as file:
        alpha, w, lam = file["alpha"][:], file["w"][:], file.attrs["lambda"]
    oracle.near(x.T @ alpha / (lam * len(y)), w, 1e-9, "w of the checkpoint's alpha")
    oracle.check(np.all((alpha * y >= 0.0) & (alpha * y <= 1.0)), "alpha is not feasible")
    return np.mean(alpha * y) - lam / 2.0 * np.dot(w, w)


def history_of(path, group="history"):
    """The arrays of a group by name. Newton rounds have no log."""
    with h5py.File(path, "r") as file:
        return {name: array[:] for name, array in file[group].items()} if group in file else {}


def check_same(first, second):
    """Two models are equal bit for bit, except for timings."""
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
    """A run resumed from the checkpoint before (a copy) on other ranks: its
    history begins with the old one, and its first new evaluation is no worse than the
    dual at the stored alpha."""
    was, now = history_of(before), oracle.read_history(history)
    old = len(was["round"])
    with h5py.File(before, "r") as file:
        seconds, place = file.attrs["seconds"], file.attrs["round"]
    oracle.check(len(now["round"]) > old, "nothing was evaluated since")
    for name in was:
        oracle.check(np.array_equal(was[name], now[name][:old], equal_nan=True), f"history differs: {name}")
    oracle.check(now["round"][old] >= place, f"round {now['round'][old]} after {place}")
    oracle.check(now["seconds"][old] >= seconds, f"{now['seconds'][old]} s after {seconds}")
    oracle.check(oracle.read_summary(summary)["seconds"]["total"] >= seconds, "the total forgets")
    least = dual(data, before)
    oracle.check(now["dual"][old] >= least - 1e-12, f"dual {now['dual'][old]} after {least}")


def check_optimum(first, second):
    """Two certified models of one problem: P differs by no more than their gaps."""
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
