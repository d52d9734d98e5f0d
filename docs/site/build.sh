#!/bin/sh
# build.sh PYTHON BUILD.PY BUILD STAMP [LIVE.js]...: builds BUILD/site and leaves the file STAMP.
set -eu
python=$1
script=$2
build=$3
stamp=$4
shift 4
"$python" -B "$script" "$build" "$build/site" "$@"
touch "$stamp"
