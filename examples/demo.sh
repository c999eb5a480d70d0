#!/usr/bin/env bash
# ./dev demo: what twofold can show so far. twofold is on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
show() {
  printf '\n$ twofold %s\n' "$*"
  (cd "$folder" && twofold "$@")
}

echo "TRIANGLE: 228 graphs with one unicoloured triangle each; its colour is the graph's class."
show data generate triangle -o TRIANGLE
show data info TRIANGLE
