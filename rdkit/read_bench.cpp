// How fast a table of molecules becomes a dataset, on one thread, beside RDKit's own parsing of the same
// SMILES:
//
//   bench_smiles TABLE.csv [ROUNDS]
//
// The best of some rounds of each, in turn, so that both see the same machine.
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "twofold/base/file.h"
#include "twofold/io/molecules.h"

namespace {

template <typename Body>
double seconds(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    std::fputs("bench_smiles TABLE.csv [ROUNDS]\n", stderr);
    return 2;
  }
  const int rounds = count > 2 ? std::atoi(words[2]) : 5;
  const std::string text = twofold::read_file(words[1]);
  const std::vector<std::string> kinds = {"simple", "full", "rich", "whole"};
  const auto read = [&](const std::string& features) {
    twofold::io::MoleculeOptions options;
    options.features = features;
    std::vector<std::string> notes;
    return twofold::io::read_molecules(text, words[1], options, 1, notes);
  };
  const std::vector<std::string> smiles = read("simple").smiles;
  boost::logging::disable_logs("rdApp.*");
  double plain = 1e9;
  std::vector<double> best(kinds.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    plain = std::min(plain, seconds([&] {
                       for (const std::string& one : smiles)
                         const std::unique_ptr<RDKit::ROMol> molecule(RDKit::SmilesToMol(one));
                     }));
    for (std::size_t k = 0; k < kinds.size(); ++k)
      best[k] = std::min(best[k], seconds([&] { read(kinds[k]); }));
  }
  const auto all = static_cast<double>(smiles.size());
  std::printf("%-12s %8.0f molecules/s\n", "SmilesToMol", all / plain);
  for (std::size_t k = 0; k < kinds.size(); ++k)
    std::printf("%-12s %8.0f molecules/s, %.2f of it\n", kinds[k].c_str(), all / best[k], plain / best[k]);
  return 0;
}
