#!/bin/sh
# Runs these tests on a build of yours: ./run.sh PROGRAM [CASE...]
# What a test expects was observed, not specified: a difference shows that something changed, which may be right.
# TIMEOUT is how many seconds a test may take (default 10).
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PROGRAM [CASE...]" >&2
    exit 2
fi
PROGRAM=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export PROGRAM
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/cases/*
limit=$(command -v timeout >/dev/null && echo "timeout ${TIMEOUT:-10}")
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

verdict() { # NAME, and what is wrong, or nothing
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: $2"
    fi
}

for case in "$@"; do
    [ -d "$case" ] || case=$here/cases/$case
    [ -f "$case/run" ] || { echo "there is no case $case" >&2; exit 2; }
    rm -rf "$scratch/work"
    mkdir "$scratch/work"
    rm -rf "$scratch/tmp"
    mkdir "$scratch/tmp"
    [ ! -d "$case/files" ] || cp -R "$case/files/." "$scratch/work"
    WORK=$scratch/work TMPDIR=$scratch/tmp $limit sh "$case/run" >"$scratch/output" 2>&1
    status=$? expected=$(cat "$case/exit") wrong=
    if [ -f "$case/finding" ]; then
        if [ "$status" -ge 124 ] || [ "$status" = "$expected" ]; then
            wrong="still shows: $(cat "$case/finding")"
        fi
    elif [ "$status" != "$expected" ]; then
        wrong="exit status $status, expected $expected"
    elif [ -f "$case/output" ] && ! cmp -s "$case/output" "$scratch/output"; then
        wrong="its output differs from $case/output"
    fi
    verdict "$(basename "$case")" "$wrong"
done
echo "$passed of $((passed + failed)) tests pass"
[ "$failed" -eq 0 ]
