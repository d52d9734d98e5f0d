#!/bin/sh
# book.sh CHAPTERS BUILD [FOLDER PROGRAM]...: runs the programs in this order, with their figures in BUILD/figures.
# CHAPTERS holds the folders. Stops at the first program that fails, with its exit status.
set -eu
chapters=$1
build=$2
shift 2

mkdir -p "$build/figures"
while [ $# -gt 0 ]; do
    folder=$1
    program=$2
    shift 2
    title=
    for page in "$chapters/$folder/README.md" "$chapters/$folder.md"; do
        if [ -r "$page" ]; then title=$(sed -n '1s/^#* *//p' "$page"); fi
    done
    printf '\n======== %s ========\n\n' "${title:-$folder}"
    status=0
    "$program" --figures "$build/figures" || status=$?
    if [ "$status" -ne 0 ]; then
        echo "book: the program of chapter $folder failed with exit status $status: $program" >&2
        exit "$status"
    fi
done

printf '\n======== The end ========\n\n'
echo "pages     $chapters/*/README.md"
echo "programs  $build/chapters/ (each knows --help)"
echo "figures   $build/figures/ ($(find "$build/figures" -name '*.svg' | wc -l) SVG files)"
if [ -e "$build/site/index.html" ]; then echo "site      $build/site/index.html"; fi
