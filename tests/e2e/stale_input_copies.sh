#!/usr/bin/env bash
# Hosts with their own copies of the input: equal copies work, and a stale copy is
# detected for any file and rank. Directories stand for hosts.
set -euo pipefail
. "$(dirname "$0")/common.sh"

mkdir 0 1 2
for seed in 0 1 2; do
    "$sdca" generate cov1 "$seed/data.h5" --scale 0.02 --seed $((seed / 2)) --test "$seed/test.h5" --quiet
    "$sdca" train 0/data.h5 -o "$seed/model.h5" --lambda "1e-$((2 + seed / 2))" --quiet
done
cp {0,1}/data.h5
cp {0,1}/test.h5
cp {0,1}/model.h5

# expect STATUS COMMAND... - run sdca in the directories $dirs, one rank in each.
cat >on_host <<'END'
#!/usr/bin/env bash
read -ra dirs <<<"$DIRS"
cd "${dirs[OMPI_COMM_WORLD_RANK]}" && exec "$@"
END
chmod +x on_host
expect() {
    DIRS=${dirs[*]} expect_exit "$1" "$mpirun" -np ${#dirs[@]} "$scratch/on_host" "$sdca" "${@:2}"
}

train=(train data.h5 --lambda 1e-3 -o out.h5 --all-ranks --epochs 3)
dirs=(0 1)
expect 3 "${train[@]}" --test test.h5 --warm-start model.h5 --checkpoint run.h5
cp {0,1}/run.h5
expect 3 "${train[@]}" --checkpoint run.h5 --resume
expect 0 predict model.h5 data.h5

# The same size, different values.
[ "$(stat -c %s 0/data.h5)" -eq "$(stat -c %s 2/data.h5)" ] || fail "the sizes differ"
dirs=(0 1 2)
expect 65 "${train[@]}"
expect_says "'data.h5' is not the same file on all ranks" "on rank 2 differ"

# One file of several is stale.
# stale FILE COMMAND... - run sdca.
stale() {
    mv "1/$1" good
    cp "2/$1" "1/$1"
    dirs=(0 1)
    expect 65 "${@:2}"
    expect_says "'$1' is not the same file on all ranks"
    mv good "1/$1"
}
stale test.h5 "${train[@]}" --test test.h5
stale model.h5 "${train[@]}" --warm-start model.h5
stale model.h5 predict model.h5 data.h5
stale data.h5 predict model.h5 data.h5 -o p.csv
expect_none 0/p.csv 1/p.csv
(cd 2 && expect_exit 3 "$sdca" "${train[@]}" --checkpoint run.h5)
stale run.h5 "${train[@]}" --checkpoint run.h5 --resume

# Different sizes.
"$sdca" generate cov1 2/data.h5 --scale 0.03 --quiet
stale data.h5 "${train[@]}"
expect_says "$(stat -c %s 0/data.h5) bytes on rank 0, $(stat -c %s 2/data.h5) on rank 1"

# A missing file.
mv 1/data.h5 good
expect 66 "${train[@]}"
expect_says "cannot open 'data.h5'" "(on rank 1)"
mv good 1/data.h5

# An in-place edit that the sampled bytes miss, but not the file's own checksum.
"$python" - <<'END'
import shutil
import h5py
import numpy
with h5py.File("0/data.h5", "w") as file:
    file["before"] = numpy.zeros(500000)
    x = file.create_group("X")
    x.attrs["shape"] = [2, 5]
    x["data"], x["indices"], x["indptr"], file["y"] = [1.0, 2.0], [0, 4], [0, 1, 2], [1.0, -1.0]
    file["behind"] = numpy.zeros(500000)
shutil.copy("0/data.h5", "2/data.h5")
shutil.copy("0/data.h5", "1/data.h5")
with h5py.File("2/data.h5", "r+") as file:
    file["X"].attrs.modify("shape", [2, 6])
END
stale data.h5 "${train[@]}"
expect_says "2 rows, 5 columns and 2 non-zeros on rank 0, 2, 6 and 2 on rank 1"
