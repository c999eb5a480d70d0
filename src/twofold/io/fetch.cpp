#include "twofold/io/fetch.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <unordered_set>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"
#include "twofold/io/tu.h"

namespace twofold::io {
namespace {

void init_curl() {
  static const CURLcode state = curl_global_init(CURL_GLOBAL_DEFAULT);  // once, at the first fetch
  if (state != CURLE_OK) throw Error(fmt::format("cannot use libcurl: {}", curl_easy_strerror(state)));
}

void check_name(const std::string& name) {
  const std::string allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  const bool good = !name.empty() && name.size() <= 200 && name[0] != '.' && name[0] != '-' &&
                    name.find_first_not_of(allowed) == std::string::npos;
  if (!good)
    throw UsageError(
        fmt::format("needed a dataset's name (letters, digits and _ . -), found {}", in_quotes(name)));
}

struct Address {
  std::string full;    // with user and password if the mirror has them
  std::string shown;   // without
  std::string scheme;  // http, https or file
};

std::string url_part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK || text == nullptr) return "";
  std::string out = text;
  curl_free(text);
  return out;
}

Address archive_address(const std::string& mirror, const std::string& name) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), curl_url_cleanup);
  if (!url) throw std::bad_alloc();
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("--mirror: needed an http, https or file address, found {}", in_quotes(mirror)));
  };
  if (curl_url_set(url.get(), CURLUPART_URL, mirror.c_str(), 0) != CURLUE_OK) refuse();
  Address address;
  address.scheme = url_part(url.get(), CURLUPART_SCHEME);
  if (address.scheme != "http" && address.scheme != "https" && address.scheme != "file") refuse();
  std::string path = url_part(url.get(), CURLUPART_PATH);
  while (!path.empty() && path.back() == '/') path.pop_back();
  path += "/" + name + ".zip";
  if (curl_url_set(url.get(), CURLUPART_PATH, path.c_str(), 0) != CURLUE_OK) refuse();
  address.full = url_part(url.get(), CURLUPART_URL);
  curl_url_set(url.get(), CURLUPART_USER, nullptr, 0);
  curl_url_set(url.get(), CURLUPART_PASSWORD, nullptr, 0);
  address.shown = url_part(url.get(), CURLUPART_URL);
  return address;
}

// One download, while libcurl calls back into it. Exceptions must not pass through libcurl: they wait in
// `failure`.
struct Transfer {
  const FetchOptions& options;
  const Progress& progress;
  CURL* curl;
  std::string body;
  bool too_large = false;
  std::exception_ptr failure;
};

long http_status(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

constexpr std::size_t kStop = 0;  // fewer bytes than were given end the transfer

std::size_t take_bytes(char* data, std::size_t, std::size_t size, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const long status = http_status(transfer.curl);
  if (status != 0 && status != 200) return kStop;  // the page that says what went wrong is for browsers
  transfer.too_large = size > transfer.options.max_download - transfer.body.size();
  if (transfer.too_large) return kStop;
  try {
    transfer.body.append(data, size);
  } catch (...) {
    transfer.failure = std::current_exception();
    return kStop;
  }
  return size;
}

int tell_progress(void* context, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(context);
  try {
    if (transfer.progress)
      transfer.progress(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(total));
    return 0;
  } catch (...) {
    transfer.failure = std::current_exception();
    return 1;
  }
}

template <typename Value>
void set(CURL* curl, CURLoption option, Value value) {
  const CURLcode state = curl_easy_setopt(curl, option, value);
  if (state != CURLE_OK) throw Error(fmt::format("cannot use libcurl: {}", curl_easy_strerror(state)));
}

[[noreturn]] void throw_transfer_error(CURLcode state, const Transfer& transfer, const Address& address,
                                       const char* words) {
  const FetchOptions& options = transfer.options;
  const long status = http_status(transfer.curl);
  if (transfer.failure) std::rethrow_exception(transfer.failure);
  if (status == 404 || state == CURLE_FILE_COULDNT_READ_FILE)
    throw Error(fmt::format("{}: the collection has no dataset {}{}", address.shown, options.name,
                            status == 404 ? " (HTTP status 404)" : ""));
  if (transfer.too_large || state == CURLE_FILESIZE_EXCEEDED)
    throw_input_error(address.shown, 0,
                      fmt::format("an archive of at most {} (--max-size)", format_bytes(options.max_download)),
                      "a larger one");
  // A redirect that was not followed has ended the transfer with an error of its own.
  if (status != 0 && status != 200 && (state == CURLE_OK || state == CURLE_WRITE_ERROR))
    throw Error(fmt::format("{}: needed HTTP status 200, found {}", address.shown, status));
  if (state == CURLE_PARTIAL_FILE)
    throw Error(
        fmt::format("{}: the transfer broke off after {}", address.shown, format_bytes(transfer.body.size())));
  if (state == CURLE_OPERATION_TIMEDOUT && status != 0)
    throw Error(fmt::format(
        "{}: the transfer is too slow, given up after {}: fewer than {} bytes per second for {} seconds",
        address.shown, format_bytes(transfer.body.size()), options.slowest_rate, options.slowest_seconds));
  if (state == CURLE_UNSUPPORTED_PROTOCOL)
    throw Error(fmt::format("{}: the server leads on to an address that is not {}", address.shown,
                            address.scheme == "https" ? "https" : "http or https"));
  std::string reason = *words != '\0' ? words : curl_easy_strerror(state);
  for (char& c : reason)  // may repeat what the server said
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  throw Error(fmt::format("cannot download {}: {}", address.shown, reason));
}

std::string download(const Address& address, const FetchOptions& options, const Progress& progress) {
  const std::unique_ptr<CURL, void (*)(CURL*)> handle(curl_easy_init(), curl_easy_cleanup);
  if (!handle) throw Error("cannot use libcurl: no handle");
  CURL* curl = handle.get();
  Transfer transfer{options, progress, curl, {}, false, nullptr};
  char words[CURL_ERROR_SIZE] = "";
  set(curl, CURLOPT_ERRORBUFFER, words);
  set(curl, CURLOPT_URL, address.full.c_str());
  set(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
  set(curl, CURLOPT_REDIR_PROTOCOLS_STR, address.scheme == "https" ? "https" : "http,https");
  set(curl, CURLOPT_FOLLOWLOCATION, 1L);
  set(curl, CURLOPT_MAXREDIRS, 5L);
  set(curl, CURLOPT_USERAGENT, "twofold");
  set(curl, CURLOPT_NOSIGNAL, 1L);  // no alarm signals: several threads may fetch
  set(curl, CURLOPT_CONNECTTIMEOUT, options.connect_seconds);
  set(curl, CURLOPT_LOW_SPEED_LIMIT, options.slowest_rate);
  set(curl, CURLOPT_LOW_SPEED_TIME, options.slowest_seconds);
  // Refuses a length that the server announces; take_bytes counts where it announces none.
  set(curl, CURLOPT_MAXFILESIZE_LARGE,
      static_cast<curl_off_t>(std::min<std::uint64_t>(options.max_download, INT64_MAX)));
  set(curl, CURLOPT_WRITEFUNCTION, &take_bytes);
  set(curl, CURLOPT_WRITEDATA, &transfer);
  set(curl, CURLOPT_XFERINFOFUNCTION, &tell_progress);
  set(curl, CURLOPT_XFERINFODATA, &transfer);
  set(curl, CURLOPT_NOPROGRESS, 0L);
  const CURLcode state = curl_easy_perform(curl);
  const long status = http_status(curl);
  if (state != CURLE_OK || (status != 0 && status != 200))
    throw_transfer_error(state, transfer, address, words);
  return std::move(transfer.body);
}

// The dataset's files under their names in the folder NAME: those of NAME/ and of the archive's top.
// What else there is, such as the __MACOSX/ that some packers add, goes to `left_out`.
std::vector<ArchivedFile> dataset_files(std::vector<ArchivedFile> archived, const std::string& name,
                                        const std::string& source, std::vector<std::string>& left_out) {
  std::vector<ArchivedFile> files;
  std::unordered_set<std::string> names;
  for (ArchivedFile& file : archived) {
    const std::string within =
        file.name.rfind(name + "/", 0) == 0 ? file.name.substr(name.size() + 1) : file.name;
    if (within.find('/') != std::string::npos || within[0] == '.') {
      left_out.push_back(std::move(file.name));
      continue;
    }
    if (!names.insert(within).second)
      throw_input_error(source, 0, "names that come once", in_quotes(within) + " both in a folder and outside");
    files.push_back({within, std::move(file.bytes)});
  }
  return files;
}

// Reads the archive as the TU dataset `name`, so that a folder that no command could read is never written.
// read_tu_archive alone would take a dataset of another name.
Dataset read_as(const std::string& name, const std::string& archive, const std::vector<ArchivedFile>& files,
                const std::string& source) {
  const std::string needed = name + "_A.txt";
  if (std::none_of(files.begin(), files.end(), [&](const ArchivedFile& file) { return file.name == needed; }))
    throw_input_error(source, 0, needed, files.empty() ? "no files" : "other files only");
  return read_tu_archive(archive, source);
}

// A folder and its parents, as far as they are missing. Those go again, if nothing was written, with the
// object.
class MadeFolders {
 public:
  explicit MadeFolders(const std::string& path) {
    std::filesystem::path missing = path;
    std::error_code error;
    while (!missing.empty() && !std::filesystem::exists(missing, error) && !error) {
      if (missing.has_filename()) made_.push_back(missing);
      missing = missing.parent_path();
    }
    if (!path.empty()) std::filesystem::create_directories(path, error);
    if (!error) return;
    remove();
    throw Error(fmt::format("cannot make the folder {}: {}", path, error.message()));
  }
  ~MadeFolders() { remove(); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

 private:
  void remove() const {
    for (const std::filesystem::path& folder : made_) rmdir(folder.c_str());  // one that has files stays
  }
  std::vector<std::filesystem::path> made_;  // the innermost first
};

}  // namespace

FetchedDataset fetch_dataset(const FetchOptions& options, const Progress& progress) {
  check_name(options.name);
  init_curl();
  const Address address = archive_address(options.mirror, options.name);
  FetchedDataset fetched;
  fetched.url = address.shown;
  fetched.folder = options.name;
  if (!options.folder.empty() && options.folder != ".")
    fetched.folder = options.folder + (options.folder.back() == '/' ? "" : "/") + options.name;
  const MadeFolders parents(options.folder);
  AtomicFolder folder(fetched.folder);

  const std::string archive = download(address, options, progress);
  fetched.bytes = archive.size();
  auto archived = unpack_archive(archive, address.shown, options.archive);
  const auto files = dataset_files(std::move(archived), options.name, address.shown, fetched.left_out);
  fetched.num_graphs = read_as(options.name, archive, files, address.shown).graphs.size();
  for (const ArchivedFile& file : files) {
    folder.write_file(file.name, file.bytes);
    fetched.files.push_back(file.name);
  }
  folder.commit();
  return fetched;
}

}  // namespace twofold::io
