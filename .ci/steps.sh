# The steps of .ci/run. Each runs in the clone, with `set -e`, in a shell of its own.
# shellcheck shell=bash disable=SC2154,SC2164  # $scratch is set by .ci/run; a cd that fails ends the step

# --- helpers ----------------------------------------------------------------------------------------------------------

# As many compilers at once as there are cores, if each may have 1.5 GB.
jobs_at_once() {
    local fitting
    fitting=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
    [ "$fitting" -ge 1 ] || fitting=1
    if [ "$(nproc)" -lt "$fitting" ]; then nproc; else echo "$fitting"; fi
}

# block HEADING LANGUAGE: the first block of code in that language under that heading of README.md.
block() {
    awk -v heading="## $1" -v fence="\`\`\`$2" '
        /^## / { inside = ($0 == heading) }
        inside && $0 == fence { shown = 1; next }
        shown && $0 == "```" { exit }
        shown' README.md
}

# Command N of README.md. "As root, leave out sudo", and where there is none.
command_of_readme() {
    local line
    line=$(block "Two commands" sh | sed -n "$1p")
    if [ -z "$line" ]; then
        echo "README.md has no command $1" >&2
        return 1
    fi
    if [ "$(id -u)" -eq 0 ] || ! command -v sudo >/dev/null; then line=${line//sudo /}; fi
    echo "$line"
}

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

clang() { command -v clang++-14 || command -v clang++ || echo clang++; }

# --- the clone --------------------------------------------------------------------------------------------------------

clean_clone() {
    if ! command -v git; then
        as_root apt-get update
        as_root apt-get install --yes git
    fi
    git config --file "$scratch/gitconfig" safe.directory '*' # the checkout may belong to somebody else
    export GIT_CONFIG_GLOBAL=$scratch/gitconfig
    git clone --quiet --no-checkout "$1" .
    git checkout --quiet --detach "$(git -C "$1" rev-parse HEAD)"
    echo "note: $(git log -1 --format='%h %s')"
}

# --- README.md --------------------------------------------------------------------------------------------------------

# Runs a command with a ninja that writes down how long it took, and how much of its time the processors gave to it:
# what apt and Meson do is not building.
timed() {
    cat >"$scratch/ninja" <<'END'
#!/usr/bin/env bash
TIMEFORMAT='%0R %0U %0S'
{ time ninja "$@" 2>&3; } 3>&2 2>>"$0.seconds"
END
    chmod +x "$scratch/ninja"
    echo "$1"
    NINJA=$scratch/ninja bash -c "$1"
}

seconds_of_ninja() { awk '{ n += $1 } END { print n + 0 }' "$scratch/ninja.seconds"; }
processor_seconds() { awk '{ n += $2 + $3 } END { print n + 0 }' "$scratch/ninja.seconds"; }

first_command() {
    local command
    command=$(command_of_readme 1)
    timed "$command"
    [ -n "$(find build/figures -name '*.svg')" ]
    echo "note: $(find build/figures -name '*.svg' | wc -l) figures"
}

second_command() {
    local command start=$SECONDS building status=0
    command=$(command_of_readme 2)
    building=$(seconds_of_ninja)
    timed "$command --print-errorlogs" || status=$?
    building=$(($(seconds_of_ninja) - building))
    if [ -e build/meson-logs/testlog.txt ]; then echo $((SECONDS - start - building)) >"$scratch/tests.seconds"; fi
    return $status
}

in_time() {
    local building testing
    [ -e "$scratch/tests.seconds" ] # otherwise the build failed early, which is no short build
    building=$(seconds_of_ninja)
    testing=$(cat "$scratch/tests.seconds")
    echo "note: built in $building s ($(processor_seconds) s of $(nproc) processors), with the book's run; tested in $testing s"
    # Measured, not asserted: how long a machine takes depends on what else it does.
    if [ "$building" -ge 180 ] || [ "$testing" -ge 60 ]; then echo "note: longer than README's readers should wait"; fi
}

# The program of docs/, built and run as README.md says, with headers installed into a scratch prefix.
installed() {
    meson setup --reconfigure build -Dprefix="$scratch/prefix"
    export PKG_CONFIG_PATH=$scratch/prefix/share/pkgconfig
    bash -e -x -c "$(block "In your own project" sh)"
    ./taste | diff docs/taste.txt -

    # The headers are quiet where a project is strict.
    cp docs/taste.cpp "$scratch/prefix"
    cd "$scratch/prefix"
    # shellcheck disable=SC2046
    g++ -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror taste.cpp $(pkg-config --cflags multihead)
}

subproject() {
    local project=$scratch/project
    mkdir -p "$project/subprojects"
    git clone --quiet . "$project/subprojects/multihead"
    block "In your own project" meson >"$project/meson.build"
    cp docs/taste.cpp "$project"
    meson setup "$project/build" "$project"
    meson compile -C "$project/build"
    "$project/build/taste" | diff docs/taste.txt -
}

site() {
    local start=$SECONDS
    meson compile -C build site
    [ -s build/site/index.html ]
    echo "note: $(find build/site -name '*.html' | wc -l) pages in $((SECONDS - start)) s"
}

# Every page in a real browser; README's readers need none of this.
browser() {
    local missing=() tool
    for tool in nodejs npm chromium; do
        command -v "${tool%js}" >/dev/null || missing+=("$tool")
    done
    if [ ${#missing[@]} -gt 0 ]; then as_root apt-get install --yes "${missing[@]}"; fi
    npm install --no-audit --no-fund --prefix "$scratch/node" playwright-core @axe-core/playwright
    MULTIHEAD_NODE=$scratch/node meson setup --reconfigure build
    MULTIHEAD_NODE=$scratch/node meson test -C build --suite docs --print-errorlogs --timeout-multiplier 2
}

# --- stricter ---------------------------------------------------------------------------------------------------------

packages() {
    # shellcheck disable=SC2046
    as_root apt-get install --yes $(cat .ci/packages.txt)
}

# built_and_tested FOLDER COMPILER [OPTION...]: runs the tests that $which chooses, or all.
which=()
built_and_tested() {
    local folder=$1 compiler=$2
    shift 2
    CXX=$compiler meson setup "$folder" "$@"
    meson compile -C "$folder" -j "$(jobs_at_once)"
    meson test -C "$folder" --print-errorlogs --timeout-multiplier 5 "${which[@]}"
}

# The usual build keeps the checks of uBLAS and a release build leaves them out: both are tested.
release() {
    built_and_tested release c++ --buildtype=release -Db_ndebug=if-release
    if grep -e -DNDEBUG build/compile_commands.json; then return 1; fi
    grep -q -e -DNDEBUG release/compile_commands.json
}

# The second compiler, with its sanitizers. It is not asked to optimise, which would take longer than it saves. The
# certificate and the program on floating point are left out: they ask again what the tests ask.
sanitized() {
    local which=(--no-suite laws --no-suite docs)
    export ASAN_OPTIONS=detect_stack_use_after_return=1
    export UBSAN_OPTIONS=print_stacktrace=1
    built_and_tested sanitized "$(clang)" -Doptimization=0 -Ddebug=false -Db_sanitize=address,undefined -Db_lundef=false \
        -Dcpp_args='-D_GLIBCXX_ASSERTIONS -fno-sanitize-recover=all'
}

formatted() { git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format-14 --dry-run -Werror; }

# Lines that include the files named on standard input; a source is included here on purpose.
included() { sed 's|.*|#include "&"  // NOLINT|'; }

# Every header and every source but those that only ask templates for code. Reading the library takes most of the time. So
# headers, wrong hands, and the tests of the library alone are read as one source each: no name stands twice in them.
tidy() {
    local flags=(-std=c++20 -I"$PWD" -I"$PWD/src" -I"$PWD/tests" '-DCHAPTERS_DIR=""' '-DMUTANTS=""')
    git ls-files '*.cpp' | grep -v -E '^tests/(laws|hand)_' >sources
    grep '^tests/' sources | grep -v -E '/(wrong_.*|main|certify|mutant_judge)\.cpp' | xargs grep -L '^#include "\.\./' >alone
    git ls-files 'src/*.hpp' | included >headers.cpp
    git ls-files 'tests/wrong_*.cpp' | included >wrong.cpp
    included <alone >tests.cpp
    { printf '%s\n' tests.cpp wrong.cpp headers.cpp && grep -v '^tests/wrong_' sources | grep -v -x -F -f alone; } |
        sed "s|^|$PWD/|" | xargs -P "$(jobs_at_once)" -I{} clang-tidy-14 --quiet {} -- "${flags[@]}"
}

shell_scripts() { git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck -x; }

# --- the build's manners ----------------------------------------------------------------------------------------------

# fails_naming PACKAGE VARIABLE=VALUE...: setup fails in this environment, and its error says what to install.
fails_naming() {
    local package=$1 said
    shift
    rm -rf "$scratch/failing"
    if said=$(env "$@" meson setup "$scratch/failing" 2>&1); then
        echo "setup should have failed and named $package, with $*"
        return 1
    fi
    if ! grep -F "apt-get install $package" <<<"$said"; then
        echo "setup should have named $package, with $*, but said: $said"
        return 1
    fi
}

errors_name_packages() {
    local fake=$scratch/fake
    mkdir -p "$fake"/{nothing,bin,old/boost,old/doctest}

    ln -s "$(command -v meson)" "$(command -v ninja)" "$fake/bin"
    fails_naming g++ PATH="$fake/bin"

    # A compiler that refuses sources with a certain word in them, as one without that header would.
    cat >"$fake/refusing" <<'END'
#!/bin/sh
for argument; do
    case $argument in *.cpp) if grep -q "$REFUSED" "$argument"; then exit 1; fi ;; esac
done
exec c++ "$@"
END
    chmod +x "$fake/refusing"
    fails_naming g++ CXX="$fake/refusing" REFUSED='<concepts>'

    echo '#define BOOST_LIB_VERSION "1_74"' >"$fake/old/boost/version.hpp"
    fails_naming libboost1.81-dev BOOST_INCLUDEDIR="$fake/old" BOOST_LIBRARYDIR="$fake/nothing"
    fails_naming libboost1.81-dev BOOST_INCLUDEDIR="$fake/nothing" BOOST_LIBRARYDIR="$fake/nothing"

    printf '#define DOCTEST_VERSION_%s\n' 'MAJOR 2' 'MINOR 3' 'PATCH 7' >"$fake/old/doctest/doctest.h"
    fails_naming doctest-dev CPLUS_INCLUDE_PATH="$fake/old"
    fails_naming doctest-dev CXX="$fake/refusing" REFUSED='doctest/doctest.h'
}

# Without modules to ask for and without compiled libraries, as with Debian's package of the headers.
boost_headers_alone() {
    mkdir -p "$scratch/headers/include" "$scratch/headers/lib"
    ln -s /usr/include/boost "$scratch/headers/include/boost"
    export BOOST_INCLUDEDIR=$scratch/headers/include BOOST_LIBRARYDIR=$scratch/headers/lib
    meson setup headers
    grep "found boost .* include dir: $BOOST_INCLUDEDIR" headers/meson-logs/meson-log.txt
    meson compile -C headers softmax
}

no_merge_marks() { if git grep -n -E '^([<]{7}|[>]{7}) '; then return 1; fi; }

# The folder chapters/shared may be named from a chapter; any other path to a folder of that name leads outside.
no_machine_named() {
    local file path status=0
    if git grep -n -I -E '/(work|farm|home|root|tmp)/'; then status=1; fi
    if git grep -n -I -i -E 'https?://[^ )>"]*(registry|mirror|proxy|artifact|pypi|npmjs|crates\.io|deb\.debian)'; then
        status=1
    fi
    while IFS=: read -r file path; do
        if ! [ -e "$(dirname "$file")/$path" ]; then
            echo "$file: $path is not in this repository"
            status=1
        fi
    done < <(git grep -o -I -E '\.\./shared[A-Za-z0-9_./-]*')
    return $status
}
