#!/bin/sh
# prints.sh CHAPTER PROGRAM: succeeds if the program prints exactly what CHAPTER/expected.txt holds, and draws exactly the
# figures of its that stand in CHAPTER/figures, byte for byte.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" --figures "$scratch/figures" >"$scratch/printed"
diff -u "$1/expected.txt" "$scratch/printed"
for drawn in "$scratch"/figures/*.svg; do
    kept=$1/figures/${drawn##*/}
    if [ -e "$kept" ] && ! cmp -s "$kept" "$drawn"; then
        echo "$kept is not what the program draws; --figures $1/figures draws it anew"
        exit 1
    fi
done
