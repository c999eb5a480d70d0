#pragma once

#include <stdint.h>

// What twofold and its module `libtwofold_mpi.so` agree on. The module alone is linked to MPI; plain C, so that
// both may be built apart. One thread calls all of it.

extern "C" {

/// Grows with every change below: a module of another number is refused.
enum { kTwofoldMpiInterface = 1 };

struct TwofoldMpi {
  int interface_number;
  /// Of the MPI library, one line.
  const char* (*version)();
  /// Starts MPI, once in a process. All that return int give 0, or 1 where MPI failed: `trouble` tells why.
  int (*start)(int* rank, int* size);
  /// Begins the next step: gives this message to all other ranks. The bytes are copied.
  int (*begin)(const void* message, uint64_t bytes);
  /// Whether the messages of all others have arrived, and the own one at all of them.
  int (*test)(int* is_done);
  /// What another rank gave in the step that is done; valid until the next begins.
  const void* (*message)(int rank, uint64_t* bytes);
  const char* (*trouble)();
  /// Ends MPI. Needs a step that is done.
  void (*end)();
};

/// The one symbol of the module.
const TwofoldMpi* twofold_mpi();
}
