#!/usr/bin/env bash
# When an allocation fails, sdca prints one error message, exits with status 71 on all
# ranks, and leaves existing files unchanged. See allocation_failures.py.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# String and numeric labels, few and many columns; a model, and an unfinished run.
mkdir in
"$python" "$here/allocation_failures.py" write in
make() {
    (cd in && "$sdca" "$@" --quiet)
}
make generate cov1 few.h5 --scale 0.0002 --test test.h5
make convert table.csv table.h5
make convert gaps.csv gaps.h5 --missing median --hash 2
make convert rows.txt weighted.h5 --weights weights.txt
make train few.h5 -o model.h5 --lambda 1e-2 --history history.csv
make train classes.h5 -o classes-model.h5 --lambda 1e-2
make train few.h5 -o calibrated.h5 --lambda 1e-2 --folds 2 --calibrate
make train cells.h5ad -o cells-model.h5 --lambda 1e-2 --label kind
make train classes.h5 -o classes-dual.h5 --lambda 1e-2 --keep-dual
make train few.h5 -o dual.h5 --lambda 1e-2 --keep-dual
make train table.h5 -o named.h5 --lambda 1e-2 --bias 1
make train few.h5 -o none.h5 --lambda 1e-3 --solver sdca --rounds 2 --checkpoint run.h5 || [ $? -eq 3 ]
make train classes.h5 -o none.h5 --lambda 1e-1,1e-2 --folds 2 --solver sdca --gap 0.1 --checkpoint path-run.h5
make train classes.h5 -o none.h5 --lambda 1e-3 --solver sdca --rounds 2 --gap 1e-9 --checkpoint classes-run.h5 || [ $? -eq 3 ]
"$python" "$here/allocation_failures.py" starve "${SDCA_INJECTED:?is the program to starve: run it by ctest}" \
    "$mpirun" in "$tree" "$record" || fail "a failed allocation is not handled correctly"
