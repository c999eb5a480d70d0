#include <mpi.h>

#include <climits>
#include <string>
#include <vector>

#include "twofold/base/mpi_interface.h"

namespace {

// One step: every rank gives a message to every other. Sizes differ, so arrivals are looked for, not awaited.
struct Peer {
  std::vector<char> message;
  MPI_Request request = MPI_REQUEST_NULL;
  bool is_found = false;
};

int own_rank = 0;
std::vector<Peer> peers;
std::vector<char> given;
std::vector<MPI_Request> sends;
int tag = 0;
std::string what_failed;

int failed(int code, const char* doing) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  what_failed = std::string(doing) + ": " + std::string(text, static_cast<std::size_t>(length));
  return 1;
}

const char* version() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  for (char* at = text; *at != '\0'; ++at)
    if (*at == '\n') *at = '\0';
  return text;
}

int start(int* rank, int* size) {
  int provided = 0;
  if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided); code != MPI_SUCCESS)
    return failed(code, "MPI_Init_thread");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  own_rank = *rank;
  peers.resize(static_cast<std::size_t>(*size));
  sends.assign(peers.size(), MPI_REQUEST_NULL);
  return 0;
}

int begin(const void* message, uint64_t bytes) {
  if (bytes > INT_MAX) {
    what_failed = "a message of 2 GiB or more";
    return 1;
  }
  // A rank may be a step ahead of another, never two: the other's message of this step is needed for that.
  tag = (tag + 1) % 1024;
  const char* const from = static_cast<const char*>(message);
  given.assign(from, from + bytes);
  for (std::size_t r = 0; r < peers.size(); ++r) {
    peers[r].is_found = static_cast<int>(r) == own_rank;
    if (peers[r].is_found) continue;
    const int code = MPI_Isend(given.data(), static_cast<int>(bytes), MPI_BYTE, static_cast<int>(r), tag,
                               MPI_COMM_WORLD, &sends[r]);
    if (code != MPI_SUCCESS) return failed(code, "MPI_Isend");
  }
  return 0;
}

int test(int* is_done) {
  *is_done = 0;
  bool all = true;
  for (std::size_t r = 0; r < peers.size(); ++r) {
    Peer& peer = peers[r];
    if (!peer.is_found) {
      int found = 0;
      MPI_Message message;
      MPI_Status status;
      int code = MPI_Improbe(static_cast<int>(r), tag, MPI_COMM_WORLD, &found, &message, &status);
      if (code != MPI_SUCCESS) return failed(code, "MPI_Improbe");
      if (found == 0) {
        all = false;
        continue;
      }
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      peer.message.assign(static_cast<std::size_t>(count), 0);
      code = MPI_Imrecv(peer.message.data(), count, MPI_BYTE, &message, &peer.request);
      if (code != MPI_SUCCESS) return failed(code, "MPI_Imrecv");
      peer.is_found = true;
    }
    int arrived = 1;
    if (const int code = MPI_Test(&peer.request, &arrived, MPI_STATUS_IGNORE); code != MPI_SUCCESS)
      return failed(code, "MPI_Test");
    all = all && arrived != 0;
  }
  int sent = 0;
  const int code = MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
  if (code != MPI_SUCCESS) return failed(code, "MPI_Testall");
  *is_done = all && sent != 0 ? 1 : 0;
  return 0;
}

const void* message_of(int rank, uint64_t* bytes) {
  const std::vector<char>& found = rank == own_rank ? given : peers[static_cast<std::size_t>(rank)].message;
  *bytes = found.size();
  return found.data();
}

const char* trouble() { return what_failed.c_str(); }

void end() { MPI_Finalize(); }

}  // namespace

const TwofoldMpi* twofold_mpi() {
  static const TwofoldMpi table = {kTwofoldMpiInterface, version, start, begin, test, message_of, trouble, end};
  return &table;
}
