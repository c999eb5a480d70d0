#include "cli/command_explain.h"

#include "cli/dataset_input.h"

namespace twofold::cli {

void declare_explain(Options& flags, ExplainOptions& options) {
  flags.add("MODEL", options.model, "A file that twofold train wrote").required().type_name("");
  flags.add("DATASET", options.dataset, kDatasetKinds).required().type_name("");
  Option& one = flags.add("--graph", options.graph, "Which graph, counted from 1").type_name("I");
  flags.add("--graphs", options.graphs, "Several graphs on one page, e.g. 1-20,25")
      .type_name("I-J,…")
      .excludes(one);
  Option& node =
      flags
          .add("--node", options.node,
               "Of a model of nodes: which node, counted from 0; --graph says of which graph if there "
               "are several")
          .type_name("V");
  flags.add("--link", options.link, "Of a model of links: which pair of nodes, e.g. 3,8")
      .type_name("U,V")
      .excludes(node);
  flags
      .add("--by", options.by,
           "removal, attention, gradient or score for networks, votes for kernels [removal; gradient for "
           "large graphs]")
      .one_of({"removal", "attention", "gradient", "score", "votes"})
      .type_name("KIND");
  flags
      .add("--target", options.target, "Which of several real values to explain, by name or from 1 [the first]")
      .type_name("T");
  declare_output(
      flags, options.output,
      "Write here: FILE.svg, FILE.html (both need Graphviz), FILE.png (also rsvg-convert) or FILE.json")
      .required();
  declare_molecules(flags, options.molecules, false);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
Which nodes, edges and indirect pairs made the model say what it says about one graph, node or link. Nodes count
from 0. Of a node or link only that part of the graph is looked at on which the answer can depend.
  removal    what the predicted class's log-odds (or the value) lose without a node or edge; any network
  gradient   slope of the predicted class's logit (or of the value) by a row's features, times the features; any network
  attention  a row's weight in the weighted mean; networks with --pooling weighted-mean
  score      a row's weight times what it says itself; networks with --head none
  votes      what a node or pair adds to the decision; kernels

Examples:
  twofold explain triangle.model TRIANGLE --graph 200 -o why.svg
  twofold explain logS.model molecules.csv --graphs 1-20 -o why.html       drawn as molecules (RDKit)
  twofold explain mine.model new.jsonl --graph 1 --by gradient -o why.html
  twofold explain cora.model data/CORA --node 17 -o why.svg)");
}

}  // namespace twofold::cli
