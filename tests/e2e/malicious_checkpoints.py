"""Write modified copies of the checkpoints run.h5 and sgd.h5 with valid checksums."""
import shutil
import zlib

import h5py
import numpy as np


def change(name, origin, path, value):
    """A copy with another array, or another attribute if path has an @."""
    shutil.copy(origin, name)
    with h5py.File(name, "r+") as file:
        if "@" in path:
            group, attribute = path.split("@")
            file[group].attrs[attribute] = value
        else:
            shape = file[path].shape
            del file[path]
            file[path] = value(shape) if callable(value) else np.full(shape, value)
    with open(name, "r+b") as file:
        file.seek(512)
        content = file.read()
        file.seek(0)
        seal = f"sdca seal 1\nbytes {len(content)}\ncrc32 {zlib.crc32(content):08x}\n"
        file.write(seal.encode().ljust(512, b"\0"))


change("run-place.h5", "run.h5", "order/place", 2.0**31)
change("run-negative.h5", "run.h5", "order/place", -1.0)
change("run-infinite.h5", "run.h5", "ranks/made", np.inf)
change("run-mark.h5", "run.h5", "rows/mark", 0x7f)
change("run-alpha.h5", "run.h5", "alpha", 2.0)
change("run-nan.h5", "run.h5", "kept/alpha", np.nan)
change("run-weights.h5", "run.h5", "w", 1e300)
change("run-table.h5", "run.h5", "kept/w", lambda shape: np.zeros((shape[0], 4096)))
change("run-solver.h5", "run.h5", "/@solver", np.bytes_("newton"))
change("run-unknown.h5", "run.h5", "/@solver", np.bytes_("nothing"))
change("run-earlier.h5", "run.h5", "/@checkpoint-version", 1)
change("sgd-place.h5", "sgd.h5", "sgd@place", 2**31)
