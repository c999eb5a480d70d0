#pragma once

#include <GraphMol/GraphMol.h>

#include <vector>

/// What each atom adds to the logarithm of octanol-water partition and to molar refractivity by the rules of
/// Wildman and Crippen: as RDKit's getCrippenAtomContribs, number for number, several times as fast. RDKit asks
/// for every pattern of its table whether it occurs anywhere in the molecule; this asks for each atom which
/// pattern of its element is the first that begins at it.
///
/// Both vectors get an entry per atom. Any number of threads may call it.
void crippen_contributions(const RDKit::ROMol& molecule, std::vector<double>& partition,
                           std::vector<double>& refraction);
