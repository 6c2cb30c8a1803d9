#!/usr/bin/env bash
# Parts of AnnData files: layers, raw, obsm, csc matrices, names, covariates, cells that are
# chosen and cells without a label give the same bits as files that hold just these; other
# files are predicted with their columns in any order.
set -euo pipefail
. "$(dirname "$0")/common.sh"

# expect_says TEXT - the last command printed this on standard error.
expect_says() {
    grep -qF -- "$1" err || fail "expected '$1', got '$(cat err)'"
}

"$python" "$here/cell_parts.py" write
how=(--lambda 0.01 --loss logistic --rel-gap 1e-4 --quiet)

# same RANKS EXPLICIT FILE OPTIONS... - FILE with OPTIONS trains the model of EXPLICIT.
same() {
    expect_exit 0 on "$1" "$sdca" train "$2" -o explicit-model.h5 "${how[@]}"
    expect_exit 0 on "$1" "$sdca" train "$3" -o model.h5 --label type "${how[@]}" "${@:4}"
    "$python" "$here/cell_parts.py" same model.h5 explicit-model.h5
}
same 1 layer.h5 csr.h5ad --x layers/norm
same 3 layer.h5 csc.h5ad --x layers/norm
same 1 layer.h5 dense.h5ad --x layers/norm
same 1 raw.h5 csc.h5ad --x raw/X
same 2 pca.h5 csr.h5ad --x obsm/X_pca
for ranks in 1 3; do
    for form in csr csc; do
        same $ranks where.h5 $form.h5ad --x layers/norm --names symbol --where donor!=d3 --weight w
    done
done
same 1 where.h5 csr.h5ad --x layers/norm --names symbol --where name=d1,d2 --weight w
# 1 is the batch that is written so, not the batch 01.
same 1 where.h5 csr.h5ad --x layers/norm --names symbol --where batch!=1 --weight w
for form in csr csc; do
    same 2 more.h5 $form.h5ad --x layers/norm --covariates age,donor
done

# Folds keep donors together, also where some cells are left out, by categories or text.
for ranks in 1 3; do
    for column in donor name; do
        expect_exit 0 on $ranks "$sdca" train csc.h5ad -o folds.h5 --label type --x layers/norm --where age!=7 --lambda 1,0.1 --folds 3 \
            --fold-groups $column --fold-file "$column-$ranks.txt" --all-ranks
        "$python" "$here/cell_parts.py" folds "$column-$ranks.txt"
    done
done
expect_exit 0 "$sdca" train csc.h5ad -o folds.h5 --label type --where donor=d1,d2 --lambda 1,0.1 --folds 2 --fold-groups donor --fold-file two.txt
"$python" "$here/cell_parts.py" folds two.txt d3

# Another file: genes in another order, other codes of donors, by the settings that the model keeps.
error=''
for ranks in 1 3; do
    expect_exit 0 on $ranks "$sdca" predict model.h5 new.h5ad --label type -o new.csv
    error=$("$python" "$here/cell_parts.py" predicted model.h5 new.csv)
    [ "$(head -n 1 out)" = "$error" ] || fail "$(head -n 1 out) where $error is right"
    expect_says "without a label: they have predictions, but are not in the metrics"
done
# The model knows the column of the labels; report reads the same parts.
cp out with-label.out
expect_exit 0 "$sdca" predict model.h5 new.h5ad -o again.csv
cmp out with-label.out || fail "without --label: $(cat out)"
cmp new.csv again.csv || fail "--label changes the predictions"
expect_exit 0 "$sdca" predict model.h5 new.h5ad -o again.csv --unlabelled
! grep -q Error out || fail "--unlabelled prints an error"
rate=$(sed -n 's/^Error: \([0-9.]*\) .*/\1/p' with-label.out)
expect_exit 0 "$sdca" report model.h5 --test new.h5ad -o page.html
grep -qF "$(awk -v rate="$rate" 'BEGIN { printf "%.2f", 100 * rate }')"$'\xc2\xa0%' page.html || fail "the page has no error of $rate"
expect_exit 65 "$sdca" report model.h5 --test new.h5ad -o no.html --label donor
expect_exit 65 "$sdca" report model.h5 --test few.h5ad -o no.html
expect_exit 0 "$sdca" report model.h5 --test few.h5ad -o few.html --missing-columns zero
expect_exit 0 on 2 "$sdca" predict model.h5 new.h5ad --label type --where donor=d2 -o some.csv
error=$("$python" "$here/cell_parts.py" predicted model.h5 some.csv '' d2)
[ "$(head -n 1 out)" = "$error" ] || fail "$(head -n 1 out) where $error is right"
lost=$("$python" -c 'import numpy as np; print(",".join(sorted(f"gene{j}" for j in np.random.default_rng(3).permutation(20)[-2:])))')
expect_exit 0 "$sdca" predict model.h5 few.h5ad --missing-columns zero -o few.csv
expect_says "'few.h5ad' lacks 2 columns of the model: 0 is used"
"$python" "$here/cell_parts.py" predicted model.h5 few.csv "$lost" >few.out
expect_exit 0 "$sdca" train csr.h5ad -o counts.h5 --label type --lambda 0.01 --where female=True
expect_says "'csr.h5ad' holds counts, whose scale differs from row to row: choose normalised values by --x layers/norm, or try --normalize rows"
for options in --intercept "--standardize scale" "--standardize full --intercept --covariates age,donor"; do
    # shellcheck disable=SC2086 # several words
    for form in csr dense; do
        expect_exit 0 "$sdca" train $form.h5ad -o counts.h5 --label type --lambda 0.01 $options
        expect_says "holds counts"
        expect_exit 0 "$sdca" train $form.h5ad -o counts.h5 --label type --lambda 0.01 --x layers/norm $options
        ! grep -q "holds counts" err || fail "normalised values are called counts, $options"
    done
done
expect_exit 0 "$sdca" train csr.h5ad -o counts.h5 --label type --lambda 0.01 --x layers/norm
! grep -q "holds counts" err || fail "normalised values are called counts"
! grep -q "share their names" err || fail "different names are called the same"
expect_says "of 'csr.h5ad' without a label: left out"
expect_exit 0 "$sdca" train csr.h5ad -o shared.h5 --label type --lambda 0.01 --x layers/norm --names chromosome
expect_says "20 columns of 'csr.h5ad' share their names, such as '1': predict cannot find them in a file with another order"
expect_exit 0 "$sdca" info csc.h5ad
expect_prints "for --x      layers/norm, obsm/X_pca, raw/X"

# refuse CODE TEXTS... -- ARGUMENTS... - on one rank and on three.
refuse() {
    part "${@:2}"
    expect_refusal "$1" "$sdca" "${arguments[@]}"
    expect_refusal "$1" on 3 "$sdca" "${arguments[@]}"
}
train=(train csc.h5ad -o out.h5 --label type --lambda 0.1)
refuse 65 "'few.h5ad' lacks 2 columns of the model: 'ENS${lost%,*}', 'ENS${lost#*,}'; --missing-columns zero takes them as 0" -- predict model.h5 few.h5ad -o out.csv
refuse 65 "more than one column of 'twice.h5ad', or of the model, is called 'ENSgene" -- predict model.h5 twice.h5ad -o out.csv
refuse 65 "'csc.h5ad' has no layers/none" -- "${train[@]}" --x layers/none
refuse 64 "--x is X, raw/X, layers/NAME or obsm/NAME, not 'varm/a'" -- "${train[@]}" --x varm/a
refuse 64 "--where is COLUMN=VALUE,... or COLUMN!=VALUE,..., not 'donor'" -- "${train[@]}" --where donor
refuse 65 "obs/donor in 'csc.h5ad' does not have the value 'd9' of --where" -- "${train[@]}" --where donor=d9
refuse 65 "'csc.h5ad' has no rows with a label that --where chooses" -- "${train[@]}" --where age=7
refuse 65 "'csc.h5ad' has no column 'none' in obs" -- "${train[@]}" --where none=7
refuse 65 "'csc.h5ad' has no column 'none' in var" -- "${train[@]}" --names none
refuse 65 "'csc.h5ad', row 7: the value of obs/hole is missing, or not one of its categories" -- "${train[@]}" --covariates hole
refuse 65 "'csc.h5ad', row 7: the group is not a number" -- train csc.h5ad -o out.h5 --label type --lambda 1,0.1 --folds 2 --fold-groups hole
refuse 65 "the column 'short' of 'csc.h5ad' has 3 values for 300 rows" -- train csc.h5ad -o out.h5 --label type --lambda 1,0.1 --folds 2 --fold-groups short
refuse 64 "--where applies to AnnData files" -- predict model.h5 new.csv --where donor=d1 -o out.csv
printf '1 1:1\n' >rows.txt
refuse 64 "--missing-columns applies to columns with names" -- predict model.h5 rows.txt --missing-columns zero -o out.csv
"$python" - <<'END'
import h5py, numpy as np
with h5py.File("csr.h5ad", "r+") as file:
    file["obs/type/codes"][...] = -1
    file["obs/words"] = ["a", "b"]
    names = file["var/chromosome/codes"]
    names[4] = -1
with h5py.File("csc.h5ad", "r+") as file:
    file["layers/norm/indices"][5] = 300
    del file["raw/X/indptr"]
    file["raw/X/indptr"] = np.zeros(5, dtype=int)
END
refuse 65 "'csr.h5ad' has no labels: -o writes the predictions" -- predict model.h5 csr.h5ad --label type
refuse 65 "the column 'short' of 'csr.h5ad' has 3 values for 300 rows" -- train csr.h5ad -o out.h5 --label age --lambda 0.1 --covariates short --loss squared
refuse 65 "the column 'words' of 'csr.h5ad' has 2 values for 300 rows" -- train csr.h5ad -o out.h5 --label age --lambda 0.1 --covariates words --loss squared
refuse 65 "var/chromosome in 'csr.h5ad' has no name for column 4" -- train csr.h5ad -o out.h5 --label age --lambda 0.1 --names chromosome --loss squared
refuse 65 "'csc.h5ad': row 300 is out of range: there are 300" -- "${train[@]}" --x layers/norm
refuse 65 "'csc.h5ad' has 5 column offsets for 22 columns; one more is needed" -- "${train[@]}" --x raw/X
