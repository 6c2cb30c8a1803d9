"""Mutations of an HDF5 file, of its bytes and of its objects as seen by h5py. All choices
come from a random generator, so they are reproducible."""
import struct
import zlib

import h5py
import numpy as np

SEAL_SIZE = 512

EXTREMES = [0, 1, 2, 3, 7, 8, 255, 256, 4095, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33, 2**53, 2**60, 2**61 - 1,
            2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 8, 2**64 - 1]

REALS = [0.0, -0.0, 0.5, 6.7, -1.0, 1e-320, 1e300, 1.7e308, float("inf"), float("-inf"), float("nan"), 9.3e18, 1.9e19]

# Strings with terminal controls, or without an end.
TEXTS = ["", "x", "csr_matrix", "csc_matrix", "hinge", "logistic", "squared", "rows", "sdca-model", "sdca-checkpoint", "array",
         "converged", "\x1b[31mred\x1b[0m", "two\nsdca: lines", "bell\x07 \r back", "\x9b31m", "\u202e", "%s%n%d", "=HYPERLINK(1)",
         "a" * 300, "b" * 5000]


def place(rng, content):
    """A byte, preferably one with a special value."""
    for _ in range(6):
        at = rng.randrange(len(content))
        if content[at] != 0:
            break
    return at


def set_bytes(rng, content, _other):
    for _ in range(rng.randint(1, 8)):
        content[place(rng, content)] = rng.randrange(256)


def flip_bits(rng, content, _other):
    for _ in range(rng.randint(1, 8)):
        content[place(rng, content)] ^= 1 << rng.randrange(8)


def fill_run(rng, content, _other):
    """Zero a sector, or part of one."""
    at, length = place(rng, content), rng.choice([1, 4, 8, 16, 64, 480, 512, 4096])
    length = min(length, len(content) - at)
    content[at:at + length] = bytes([rng.choice([0, 0, 0, 255, 65])]) * length


def swap_blocks(rng, content, _other):
    length = rng.choice([1, 8, 24, 64, 512])
    one, two = sorted(rng.sample(range(max(2, len(content) // length)), 2))
    first, second = slice(one * length, one * length + length), slice(two * length, two * length + length)
    if len(content[second]) == length:
        content[first], content[second] = content[second], content[first]


def splice(rng, content, other):
    """Copy a piece of another file."""
    length = min(rng.choice([8, 64, 512, 4096]), len(other), len(content))
    start, at = rng.randrange(len(other) - length + 1), rng.randrange(len(content) - length + 1)
    content[at:at + length] = other[start:start + length]


def cut(rng, content, _other):
    del content[rng.randrange(len(content)):]


def extend(rng, content, _other):
    content += bytes(rng.randint(1, 600))


def set_field(rng, content, _other):
    """Overwrite an integer of any width."""
    width, form = rng.choice([(2, "<H"), (4, "<I"), (8, "<Q"), (8, "<Q")])
    at = place(rng, content) // width * width
    if at + width <= len(content):
        struct.pack_into(form, content, at, rng.choice(EXTREMES) % 2**(8 * width))


def set_count(rng, content, _other):
    """Replace a small 8-byte number, such as an extent, size or offset."""
    places = [at for at in range(0, len(content) - 8, 8)
              if content[at] != 0 and not any(content[at + 3:at + 8])]
    for at in rng.sample(places, min(len(places), rng.randint(1, 3))):
        was = struct.unpack_from("<Q", content, at)[0]
        struct.pack_into("<Q", content, at, rng.choice(EXTREMES + [was + 1, was - 1, was * 2, -was]) % 2**64)


def set_heap(rng, content, _other):
    """Change the heap where HDF5 stores variable-length strings."""
    at = content.find(b"GCOL")
    if at < 0:
        return set_field(rng, content, _other)
    at += rng.choice([4, 8, 16, 16, 20, 24, 24, 32, 40, 48, 64])
    value = rng.choice(EXTREMES)
    length = rng.choice([2, 8, 8, 480])
    raw = struct.pack("<Q", value % 2**64)[:length] if length <= 8 else bytes(length)
    content[at:at + length] = raw
    return None


BYTES = [set_bytes, flip_bits, fill_run, swap_blocks, splice, cut, extend, set_field, set_field, set_count, set_count, set_count,
         set_heap]


def seal(content):
    """The header that the program writes before a checkpoint."""
    rest = bytes(content[SEAL_SIZE:])
    text = f"sdca seal 1\nbytes {len(rest)}\ncrc32 {zlib.crc32(rest):08x}\n"
    return text.encode().ljust(SEAL_SIZE, b"\0") + rest


def objects(file):
    """The names of all groups and arrays, including the root."""
    names = ["/"]
    file.visit(names.append)
    return names


def random_values(rng, count):
    """An array of another type, or with unsuitable values."""
    kind = rng.choice(["f8", "f8", "i8", "u8", "i1", "f4", "f2", "text", "fixed", "bool", "compound", "vlen"])
    if kind == "text":
        return np.array([rng.choice(TEXTS) for _ in range(count)], dtype=object), h5py.string_dtype()
    if kind == "fixed":
        return np.array([rng.choice(TEXTS)[:20].encode() for _ in range(count)], dtype="S20"), None
    if kind == "bool":
        return np.array([rng.random() < 0.5 for _ in range(count)], dtype=bool), None
    if kind == "compound":
        return np.zeros(count, dtype=[("a", "f8"), ("b", "i4")]), None
    if kind == "vlen":
        made = np.empty(count, dtype=object)
        for k in range(count):
            made[k] = np.arange(k % 3, dtype=np.int32)
        return made, h5py.vlen_dtype(np.int32)
    if kind in ("f8", "f4", "f2"):
        with np.errstate(over="ignore"):
            return np.array([rng.choice(REALS) for _ in range(count)]).astype(kind), None
    bits = 8 * int(kind[1])
    values = [rng.choice(EXTREMES) % 2**bits for _ in range(count)]
    return np.array(values, dtype="u" + kind[1]).astype(kind), None


def set_attribute(rng, file):
    """An existing name, or one that the program looks for."""
    item = file[rng.choice(objects(file))]
    names = list(item.attrs) or ["shape", "encoding-type", "labels", "format", "_index", "task"]
    name = rng.choice(names)
    count = rng.choice([0, 1, 2, 2, 3])
    values, form = random_values(rng, count)
    if name in item.attrs:
        del item.attrs[name]
    if rng.random() < 0.3:
        item.attrs[name] = rng.choice(TEXTS)
    elif rng.random() < 0.8 and count > 0:
        item.attrs.create(name, values[0] if rng.random() < 0.5 else values, dtype=form)


def drop(rng, file):
    names = objects(file)[1:]
    if names:
        del file[rng.choice(names)]


def set_value(rng, file):
    """Change some numbers or strings of an array."""
    arrays = [name for name in objects(file) if isinstance(file[name], h5py.Dataset) and file[name].size > 0]
    if not arrays:
        return
    array = file[rng.choice(arrays)]
    for _ in range(rng.randint(1, 4)):
        spot = tuple(rng.randrange(extent) for extent in array.shape)
        if array.dtype.kind == "f":
            array[spot] = rng.choice(REALS)
        elif array.dtype.kind in "iu":
            bits, near = 8 * array.dtype.itemsize, int(array[spot])
            value = rng.choice(EXTREMES + 8 * [near + 1, near + 2, near - 1, 100])
            array[spot] = np.array([value % 2**bits], dtype=f"u{array.dtype.itemsize}").astype(array.dtype)[0]
        elif array.dtype.kind in "OS":
            array[spot] = rng.choice(TEXTS).encode("utf-8", "replace")


def replace(rng, file):
    """Replace an array or group by another array."""
    names = objects(file)[1:]
    if not names:
        return
    name = rng.choice(names)
    was = file[name]
    count = was.shape[0] if isinstance(was, h5py.Dataset) and was.shape else 3
    count = max(0, min(count, 1000) + rng.choice([0, 0, 0, -1, 1, 5]))
    values, form = random_values(rng, count)
    del file[name]
    how = rng.choice([{}, {"chunks": True}, {"chunks": True, "compression": "gzip"}]) if count > 0 else {}
    if rng.random() < 0.3 and count > 0 and count % 2 == 0:
        values = values.reshape((2, -1))
    file.create_dataset(name, data=values, dtype=form, **how)


def declare(rng, file):
    """An array without stored data, as long as HDF5 allows."""
    names = [name for name in objects(file) if isinstance(file[name], h5py.Dataset)]
    if not names:
        return
    name = rng.choice(names)
    form = file[name].dtype if rng.random() < 0.7 else rng.choice(["f8", "i8", "i1"])
    shape = [rng.choice(EXTREMES[1:-4]) for _ in range(rng.choice([1, 1, 2]))]
    del file[name]
    try:
        file.create_dataset(name, shape=shape, dtype=form, chunks=tuple(min(extent, 64) for extent in shape))
    except (ValueError, OSError, OverflowError):
        file.create_dataset(name, shape=(2**40,), dtype="f8", chunks=(64,))


def link(rng, file):
    """A link to another object, or a dangling one."""
    names = objects(file)[1:]
    if not names:
        return
    name = rng.choice(names)
    del file[name]
    file[name] = rng.choice([h5py.SoftLink("/nothing"), h5py.SoftLink("/" + name), h5py.SoftLink("/"),
                             h5py.ExternalLink("nothing.h5", "/X"), h5py.SoftLink("/y")])


THINGS = [set_attribute] * 5 + [set_value] * 9 + [replace] * 3 + [declare] * 2 + [drop, link]


@np.errstate(all="ignore")
def mutate(rng, path, out, other, sealed):
    """Write a mutated copy of path to out, and describe the mutation. A checksum is mostly
    recomputed, so that the content after it is read."""
    said = []
    with open(path, "rb") as file:
        content = bytearray(file.read())
    with open(other, "rb") as file:
        others = file.read()
    if rng.random() < 0.65:
        with open(out, "wb") as file:
            file.write(content)
        with h5py.File(out, "r+") as file:
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                how = rng.choice(THINGS)
                said.append(how.__name__)
                try:
                    how(rng, file)
                except (OSError, ValueError, TypeError, KeyError, RuntimeError, OverflowError, UnicodeError) as trouble:
                    said[-1] += f" ({type(trouble).__name__})"
        with open(out, "rb") as file:
            content = bytearray(file.read())
    if not said or rng.random() < 0.1:
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            how = rng.choice(BYTES)
            said.append(how.__name__)
            if len(content) > 16:
                how(rng, content, others)
    if sealed and rng.random() < 0.9 and len(content) > SEAL_SIZE:
        content = seal(content)
        said.append("seal")
    with open(out, "wb") as file:
        file.write(content)
    return said
