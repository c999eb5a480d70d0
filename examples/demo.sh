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
echo "Learning TRIANGLE, fairly: four folds, each learner chosen and stopped on validation graphs, tested on graphs it has not seen."
echo "The WL kernel and GIN see neighbors, the 2-GNN edges at edges, the 2-WL-GNN pairs and their triangles; mlp sees no edge."
for model in wl-st mlp gin 2-gnn 2-wl-gnn; do
  show evaluate TRIANGLE --model "$model" --preset quick --folds 4 --repeats 1 --jobs 2 --quiet -o "$model"
done
show compare wl-st mlp gin 2-gnn 2-wl-gnn

echo
echo "The same as a page, to look at and to send:"
show report wl-st mlp gin 2-gnn 2-wl-gnn -o report.html
mkdir -p build && cp "$folder/report.html" build/report.html
echo "It lies in build/report.html."
