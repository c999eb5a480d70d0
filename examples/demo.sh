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

echo
echo "Five graphs of 12 nodes: a ring, and two rings of 3+9, 4+8, 5+7 and 6+6. Which can be told apart?"
show data generate cycles --nodes 12 -o cycles.jsonl
show wl classes cycles.jsonl --test 1-wl
show wl classes cycles.jsonl --test 2-wl --radius 1
show wl classes cycles.jsonl --test 2-wl --radius 2
show wl classes cycles.jsonl --test 2-fwl

echo
echo "Learning TRIANGLE: graphs to learn from, and a tenth held out. GIN sees neighbors, the 2-WL-GNN pairs and triangles."
show train TRIANGLE --model gin --epochs 60 --patience 0 --stop-on metric -o gin.model
show train TRIANGLE --model 2-wl-gnn --radius 1 --activation tanh --epochs 60 --patience 0 --stop-on metric -o 2-wl-gnn.model
