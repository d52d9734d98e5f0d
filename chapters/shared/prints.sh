#!/bin/sh
# prints.sh CHAPTER PROGRAM: succeeds if the program prints exactly what CHAPTER/expected.txt holds, and draws exactly the
# figures that stand in CHAPTER/figures, byte for byte.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" --figures "$scratch/figures" >"$scratch/printed"
diff -u "$1/expected.txt" "$scratch/printed"
stale=0
for drawn in "$scratch"/figures/*.svg; do
    kept=$1/figures/${drawn##*/}
    if [ -e "$drawn" ] && ! cmp -s "$kept" "$drawn"; then
        echo "$kept is missing or not what the program draws; --figures $1/figures draws it anew"
        stale=1
    fi
done
for kept in "$1"/figures/*.svg; do
    if [ -e "$kept" ] && ! [ -e "$scratch/figures/${kept##*/}" ]; then
        echo "$kept is not drawn by the program"
        stale=1
    fi
done
exit "$stale"
