#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twofold::io {

/// The strings of a pickled NumPy array of Python objects, in the order of the array: what numpy.save puts
/// behind the header of an array whose type is object. Elements are bytes or texts, or tuples and lists of
/// these, which are written out one after the other.
///
/// A pickle is a program, and this is no interpreter of it: instructions that make numbers, strings, tuples and
/// lists are followed, and of all names those few that an array is made of (NumPy's array and type; bytes
/// of older protocols) are known. Any other name or instruction is an InputError that says which, so nothing is
/// ever executed. Needs an array of `count` elements. Memory and time are proportional to the size of the
/// pickle; the strings point into it.
std::vector<std::string_view> read_pickled_strings(std::string_view pickle, std::size_t count,
                                                   const std::string& source);

}  // namespace twofold::io
