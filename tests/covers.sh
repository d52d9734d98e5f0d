#!/bin/sh
# covers.sh LAWS BUILD: LAWS is the program of the certificate. It runs every law and writes BUILD/laws.json, and what it
# covers must be what coverage.txt says. To say it anew: build/laws --coverage tests/coverage.txt
set -eu
"$1" --json "$2/laws.json" --coverage "$2/coverage.txt" >"$2/laws.txt"
diff "$(dirname "$0")/coverage.txt" "$2/coverage.txt"
