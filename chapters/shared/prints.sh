#!/bin/sh
# prints.sh EXPECTED PROGRAM: succeeds if the program prints exactly what the file holds, byte for byte.
set -eu
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$2" >"$printed"
diff -u "$1" "$printed"
