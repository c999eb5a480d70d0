#include "cli/generate_family.h"

#include <utility>

#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

constexpr std::size_t kMaxNodes = 10'000'000;
constexpr std::size_t kMaxGraphs = 10'000'000;

template <typename Value>  // std::size_t, or an optional one
void declare_count(Options& flags, const char* flag, Value& value, std::size_t smallest, std::size_t largest,
                   const char* meaning) {
  flags.add(flag, value, meaning)
      .range(static_cast<double>(smallest), static_cast<double>(largest))
      .show_default()
      .type_name("N");
}

// What the number of nodes must be for a family is the generator's to say; this only keeps out the absurd.
void declare_nodes(Options& flags, const char* flag, std::size_t& n, const char* meaning) {
  declare_count(flags, flag, n, 0, kMaxNodes, meaning);
}

void declare_graphs(Options& flags, std::size_t& num_graphs) {
  declare_count(flags, "--graphs", num_graphs, 1, kMaxGraphs, "How many graphs");
}

void declare_copies(Options& flags, std::size_t& copies) {
  declare_count(flags, "--copies", copies, 1, kMaxGraphs,
                "Copies of each graph, all but the first with randomly renamed nodes");
}

// An option whose value is one of a few words; `usual` is the default's.
template <typename Value>
void declare_choice(Options& flags, const char* flag, Value& value,
                    std::vector<std::pair<std::string, Value>> words, const std::string& usual,
                    const std::string& meaning) {
  std::string all;
  for (const auto& [word, ignored] : words) all += (all.empty() ? "" : ", ") + word;
  flags
      .add_call(
          flag,
          [flag, &value, words = std::move(words), all](const std::string& given) {
            for (const auto& [word, meant] : words)
              if (given == word) {
                value = meant;
                return;
              }
            throw UsageError(fmt::format("{}: needed one of {}, found {}", flag, all, in_quotes(given)));
          },
          fmt::format("{} [{}]", meaning, usual))
      .type_name("WORD");
}

void declare_triangle(Options& flags, GenerateChoices& c) {
  using graph::TriangleDensities;
  declare_choice(
      flags, "--densities", c.triangle.densities,
      {{"recipe", TriangleDensities::kRecipe}, {"paper", TriangleDensities::kPaper}}, "recipe",
      "recipe: as the paper's files were made; paper: 1/4 and 1/2 of all ordered pairs, as its text says");
}

void declare_regular(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.regular.n, "Nodes of every graph");
  declare_nodes(flags, "--degree", c.regular.degree, "Of every node; nodes x degree must be even");
  flags.add_flag("--connected", c.regular.connected, "Draw again until a graph is connected");
  declare_graphs(flags, c.regular.num_graphs);
}

void declare_hyperloop(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.hyperloop.n, "Nodes of every graph");
  declare_count(flags, "--degree", c.hyperloop.degree, 2, 33,
                "Of every node: 2 in the ring and the rest in the cube");
  declare_graphs(flags, c.hyperloop.num_graphs);
}

void declare_cycles(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.cycles.n, "Nodes of every graph");
  declare_count(flags, "--components", c.cycles.max_components, 1, kMaxNodes,
                "The most cycles a graph may have");
  declare_copies(flags, c.cycles.copies);
}

void declare_paths(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--min-nodes", c.paths.min_nodes, "Nodes of the smallest path");
  declare_nodes(flags, "--max-nodes", c.paths.max_nodes, "Nodes of the largest path");
}

void declare_csl(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.skip_links.n, "Nodes of every graph");
  flags.add("--skips", c.skip_links.skips, "Skips, each a class, with commas between them")
      .comma_separated()
      .show_default("2,3,4,5,6,9,11,12,13,16")
      .type_name("N,N,…");
  declare_copies(flags, c.skip_links.copies);
}

void declare_srg(Options& flags, GenerateChoices& c) {
  using Kind = graph::StronglyRegularKind;
  declare_choice(flags, "--kind", c.strongly_regular.kind,
                 {{"shrikhande", Kind::kShrikhande},
                  {"chang", Kind::kChang},
                  {"rook", Kind::kRook},
                  {"paley", Kind::kPaley},
                  {"triangular", Kind::kTriangular},
                  {"latin-square", Kind::kLatinSquare}},
                 "shrikhande", "shrikhande, chang, rook, paley, triangular or latin-square; see below");
  flags.add("--order", c.strongly_regular.order, "The q or n below [4; paley 13, triangular 8]")
      .range(1, 65535)
      .type_name("N");
  declare_copies(flags, c.strongly_regular.copies);
}

void declare_cfi(Options& flags, GenerateChoices& c) {
  using graph::CfiForm;
  declare_choice<std::optional<std::string>>(
      flags, "--base", c.cfi_base.kind,
      {{"complete", "complete"}, {"cycle", "cycle"}, {"grid", "grid"}, {"cubic", "cubic"}}, "complete",
      "complete, cycle, grid or cubic (random, connected, 3-regular)");
  declare_count(flags, "--order", c.cfi_base.order, 0, 1'000,
                "Nodes of the base; of a grid, rows and columns [4]");
  declare_count(flags, "--pairs", c.cfi_base.pairs, 1, kMaxGraphs, "How many cubic bases to draw [1]");
  flags.add("--base-file", c.cfi_base.file, "A dataset: a pair for each of its graphs instead")
      .type_name("DATASET");
  declare_choice(flags, "--form", c.cfi.form, {{"gadgets", CfiForm::kGadgets}, {"compact", CfiForm::kCompact}},
                 "gadgets", "gadgets: with ends between them, as published; compact: without, smaller");
  flags.add_flag("--colored", c.cfi.colored, "Node labels that tell the gadgets apart");
}

void declare_random(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.random.n, "Nodes of every graph");
  flags.add("--edge-probability", c.random.edge_probability, "Of every edge, independently")
      .show_default()
      .type_name("P");
  declare_graphs(flags, c.random.num_graphs);
}

void declare_tree(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.trees.n, "Nodes of every graph");
  declare_graphs(flags, c.trees.num_graphs);
}

void declare_molecules(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--min-nodes", c.molecules.min_nodes, "The fewest atoms");
  declare_nodes(flags, "--max-nodes", c.molecules.max_nodes, "The most atoms");
  declare_graphs(flags, c.molecules.num_graphs);
}

void declare_cycle_nodes(Options& flags, GenerateChoices& c) {
  declare_count(flags, "--length", c.cycle_nodes.length, 3, 8, "Of the cycle that a node is on or not");
  declare_nodes(flags, "--nodes", c.cycle_nodes.n,
                "Nodes of every graph, even; 0: about half of them on such a cycle");
  declare_graphs(flags, c.cycle_nodes.num_graphs);
}

void declare_probability(Options& flags, const char* flag, double& value, const char* meaning) {
  flags.add(flag, value, meaning).range(0.0, 1.0).show_default().type_name("P");
}

void declare_block_model(Options& flags, GenerateChoices& c) {
  declare_nodes(flags, "--nodes", c.block_models.n, "Nodes of every graph");
  declare_count(flags, "--blocks", c.block_models.blocks, 2, 1000, "Blocks of every graph");
  declare_probability(flags, "--within", c.block_models.within, "Of an edge between nodes of one block");
  declare_probability(flags, "--between", c.block_models.between, "Of an edge between different blocks");
  declare_probability(flags, "--revealed", c.block_models.revealed,
                      "Share of nodes, one of each block at least, whose label tells their block");
  declare_graphs(flags, c.block_models.num_graphs);
}

void declare_srg_links(Options& flags, GenerateChoices& c) {
  declare_count(flags, "--pairs", c.srg_links.pairs, 1, 15, "Pairs asked about in each of the three pieces");
  declare_graphs(flags, c.srg_links.num_graphs);
}

void declare_count_task(Options& flags, GenerateChoices& c) {
  flags.add("--patterns", c.count_patterns, "What is counted: words as in wl count --patterns, or all")
      .show_default()
      .type_name("P,…");
  declare_choice(flags, "--per", c.count.per_node, {{"graph", false}, {"node", true}}, "graph",
                 "graph or node: a target per graph and pattern, or per node: cycles of one length through it");
  declare_nodes(flags, "--min-nodes", c.count.min_nodes, "The fewest nodes");
  declare_nodes(flags, "--max-nodes", c.count.max_nodes, "The most nodes");
  declare_graphs(flags, c.count.num_graphs);
}

Dataset generate_count_task(const GenerateChoices& c) {
  graph::CountTaskOptions options = c.count;
  options.patterns = graph::parse_patterns(c.count_patterns);
  return graph::generate_count(options, c.seed);
}

std::vector<Graph> cfi_bases(const CfiBaseOptions& options, std::uint64_t seed) {
  if (!options.file.empty()) {
    if (options.kind || options.order || options.pairs)
      throw UsageError(
          "--base-file gives the bases: needed no --base, --order or --pairs beside it, found one");
    return io::read_dataset(options.file).graphs;
  }
  const std::string kind = options.kind.value_or("complete");
  const std::size_t order = options.order.value_or(4);
  if (kind != "cubic" && options.pairs.value_or(1) != 1)
    throw UsageError(
        fmt::format("--pairs: the base {} is the same each time, needed 1, found {}", kind, *options.pairs));
  // Degree d makes 2^(d-1) nodes of one: found here before the base itself fills the memory.
  if (kind == "complete" && order > 27)
    throw UsageError(fmt::format("--order: a complete base needs at most 27 nodes, found {}", order));
  if (kind == "complete") return {graph::complete_graph(order)};
  if (kind == "cycle") return {graph::cycle_graph(order)};
  if (kind == "grid") return {graph::grid_graph(order, order)};
  graph::RegularOptions cubic;
  cubic.n = order;
  cubic.degree = 3;
  cubic.connected = true;
  cubic.num_graphs = options.pairs.value_or(1);
  return graph::generate_regular(cubic, seed).graphs;
}

}  // namespace

const std::vector<GenerateFamily>& generate_families() {
  static const std::vector<GenerateFamily> families = {
      {"triangle", "TRIANGLE: find the one triangle of three equally labeled nodes",
       R"(
228 graphs of 6 to 32 nodes with the label 0 or 1; in each exactly one triangle has three equal labels, and that label
is the class. The built-in dataset TRIANGLE is this one with seed 1.

Example:
  twofold data generate triangle --densities paper --seed 7 -o triangle.jsonl)",
       declare_triangle, [](const GenerateChoices& c) { return graph::generate_triangle(c.seed, c.triangle); }},
      {"regular", "Random regular graphs, which 1-WL cannot tell apart",
       R"(
No classes, no labels. Degrees up to 3 are drawn exactly uniformly, others nearly so.

Example:
  twofold data generate regular --nodes 50 --degree 4 --graphs 1000 -o regular.g6)",
       declare_regular, [](const GenerateChoices& c) { return graph::generate_regular(c.regular, c.seed); }},
      {"hyperloop", "One ring against two half rings, times a hypercube: the paper's timing data",
       R"(
Identical copies of two graphs, half of each: class 0 is a ring times a hypercube, class 1 the same with the ring cut
in two. Nodes must be 2^(degree-2) times an even number from 6 on. Nothing is random.

Example:
  twofold data generate hyperloop --nodes 1024 --degree 6 -o hyperloop)",
       declare_hyperloop, [](const GenerateChoices& c) { return graph::generate_hyperloop(c.hyperloop); }},
      {"cycles", "Every union of a few cycles; how many is the class",
       R"(
All graphs, up to isomorphism, that consist of 1, 2, … cycles of at least 3 nodes; the class is their number.

Example:
  twofold data generate cycles --nodes 6          the hexagon and two triangles)",
       declare_cycles, [](const GenerateChoices& c) { return graph::generate_cycles(c.cycles, c.seed); }},
      {"paths", "A path of each size",
       R"(
No classes, no labels, nothing random.

Example:
  twofold data generate paths --max-nodes 5)",
       declare_paths, [](const GenerateChoices& c) { return graph::generate_paths(c.paths); }},
      {"csl", "Circular skip links, the benchmark CSL: a ring with chords; the skip is the class",
       R"(
The defaults are the benchmark: 10 skips, 15 copies each, all 4-regular. A skip is at least 2 and below nodes/2. With
other nodes, skips s and t give the same graph where s x t leaves 1 or -1 when divided by them.

Example:
  twofold data generate csl -o csl.jsonl)",
       declare_csl, [](const GenerateChoices& c) { return graph::generate_skip_links(c.skip_links, c.seed); }},
      {"srg", "Strongly regular graphs, which 2-FWL cannot tell apart if their parameters agree",
       R"(
Kinds, with nodes, degree, common neighbors of adjacent and of other nodes:
  shrikhande     the 4x4 rook's graph and Shrikhande's: (16, 6, 2, 2), both; classes 0 and 1
  chang          the triangular graph T(8) and Chang's three: (28, 12, 6, 4); classes 0 to 3
  rook           squares of a q x q board: (q^2, 2q-2, q-2, 2)
  paley          differences are squares: (q, (q-1)/2, (q-5)/4, (q-1)/4); q a prime power, 1 mod 4
  triangular     pairs out of n: (n(n-1)/2, 2n-4, n-2, 4)
  latin-square   cells of the cyclic Latin square of order q: (q^2, 3q-3, q, 6); if q is a power of 2, also of the
                 boolean one; classes 0 and 1 then

Example:
  twofold data generate srg --kind paley --order 29)",
       declare_srg,
       [](const GenerateChoices& c) { return graph::generate_strongly_regular(c.strongly_regular, c.seed); }},
      {"cfi", "Pairs of Cai, Fürer and Immerman over a base graph",
       R"(
Graphs 1 and 2, 3 and 4, … are pairs: untwisted (class 0) and twisted (class 1), never isomorphic. The larger the
base's treewidth, the higher the WL order that tells them apart. A base node of degree d becomes 2^(d-1) + 2d nodes
(compact: 2^(d-1)), so keep degrees small.

Examples:
  twofold data generate cfi --base grid --order 4
  twofold data generate cfi --base cubic --order 10 --pairs 50 --form compact -o cfi.jsonl
  nauty-geng -cq 5 | twofold data generate cfi --base-file -)",
       declare_cfi,
       [](const GenerateChoices& c) { return graph::generate_cfi(cfi_bases(c.cfi_base, c.seed), c.cfi); }},
      {"siamese", "Two edge-labeled graphs that ordered pairs tell apart and unordered ones do not",
       R"(
Two graphs of 15 nodes and 90 edges with the labels 1, 2, 3; class 0 comes from an association scheme, class 1 from a
proper Jordan scheme. Each label's edges are the line graph of Petersen's graph.

Example:
  twofold data generate siamese | twofold wl pairs - --test 2-fwl)",
       [](Options&, GenerateChoices&) {}, [](const GenerateChoices&) { return graph::generate_siamese(); }},
      {"random", "Erdős–Rényi graphs G(n, p)",
       R"(
No classes, no labels.

Example:
  twofold data generate random --nodes 100 --edge-probability 0.05 --graphs 10 -o random.g6)",
       declare_random, [](const GenerateChoices& c) { return graph::generate_random(c.random, c.seed); }},
      {"tree", "Uniformly random trees",
       R"(
No classes, no labels. Uniform among the labeled trees of that many nodes.

Example:
  twofold data generate tree --nodes 30 --graphs 10)",
       declare_tree, [](const GenerateChoices& c) { return graph::generate_trees(c.trees, c.seed); }},
      {"molecules", "Molecule-like graphs with labels; the class tells whether rings are fused",
       R"(
Connected, of rings of 5 and 6 atoms and chains. Node labels 0 C, 1 N, 2 O, 3 F; edge labels 1, 2, 3 are bond orders and
add up to at most the valences 4, 3, 2, 1. Class 1: some two rings share a bond; class 0: none do. Alternately.

Example:
  twofold data generate molecules --graphs 1000 -o molecules.jsonl)",
       declare_molecules,
       [](const GenerateChoices& c) { return graph::generate_molecules(c.molecules, c.seed); }},
      {"cycle-nodes", "Which nodes of cubic graphs are on a cycle of length 3, 4, 5, …: 1-WL cannot tell",
       R"(
Node targets: class 1 for a node on a simple cycle of the given length, else 0. All nodes have degree 3 and look the
same to 1-WL. Radius 1 tells triangles, radius 2 cycles of length 4 and 5, radius 3 of length 6.

Examples:
  twofold data generate cycle-nodes -o triangles.jsonl
  twofold data generate cycle-nodes --length 5 --graphs 200 | twofold data info - --duplicates --radius 2)",
       declare_cycle_nodes,
       [](const GenerateChoices& c) { return graph::generate_cycle_nodes(c.cycle_nodes, c.seed); }},
      {"block-model", "Stochastic block models; a node's class is its block",
       R"(
Node targets: the block of each node. Of some nodes the label tells the block, counted from 1, and they have no
target; all others have the label 0.

Example:
  twofold data generate block-model --nodes 120 --blocks 4 -o blocks.jsonl)",
       declare_block_model,
       [](const GenerateChoices& c) { return graph::generate_block_models(c.block_models, c.seed); }},
      {"srg-links", "Pairs in strongly regular pieces of degree 6: how many neighbors have both?",
       R"(
Pair targets: each graph is Paley's graph of 13 nodes, T(5) and the 4 x 4 rook's graph side by side. Asked about are
pairs that are not adjacent; the class is the number of common neighbors: 3, 4 or 2. All nodes look the same to 1-WL.

Example:
  twofold data generate srg-links -o srg-links.jsonl)",
       declare_srg_links,
       [](const GenerateChoices& c) { return graph::generate_srg_links(c.srg_links, c.seed); }},
      {"count-patterns", "Random graphs; the real targets say how often patterns come in them",
       R"(
One target per pattern, named after it: the number of its copies, induced or not. Every other graph is Erdős and
Rényi's with a mean degree of 2 to 6, the others are regular of degree 3 to 6 with a tenth of the edges taken away.
No classes, no labels. A 2-wl-gnn of radius 1 can count triangles, of a larger radius longer cycles: see docs/theory.md.
Counts per node are divided by their standard deviation, so that the mean absolute error of a learner is the normalized
one that the literature reports.

Examples:
  twofold data generate count-patterns --patterns cycle-3-6,clique-4 --graphs 5000 -o count.jsonl
  twofold data generate count-patterns --patterns cycle-5 --per node -o pentagons.jsonl)",
       declare_count_task, generate_count_task},
  };
  return families;
}

}  // namespace twofold::cli
