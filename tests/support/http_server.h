#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace twofold::testing {

/// One client of HttpServer, to which a reply is written.
class HttpClient {
 public:
  HttpClient(int socket, const std::atomic<bool>& stopped) : socket_(socket), stopped_(stopped) {}
  /// False once the client has gone or the server is being stopped.
  bool send(const std::string& bytes) const;
  /// Waits; false as above.
  bool pause(int milliseconds) const;

 private:
  int socket_;
  const std::atomic<bool>& stopped_;
};

using HttpReply = std::function<void(const HttpClient&)>;

HttpReply reply_ok(std::string body);
/// In chunks, without a length.
HttpReply reply_chunked(std::string body);
/// A status such as "404 Not Found" with a page of words.
HttpReply reply_status(std::string status);
HttpReply reply_redirect(std::string location);
/// Promises `length` bytes, sends `body` and closes.
HttpReply reply_claiming(std::uint64_t length, std::string body);
/// Sends 64 KiB after 64 KiB, without a length, until the client goes; 256 MiB at most.
HttpReply reply_endless();
/// Promises 1 MB and sends a byte every 100 ms until the client goes; for a minute at most.
HttpReply reply_drip();

/// Answers GET requests on 127.0.0.1, one after the other, by the reply set for their path (404 without one).
/// A thread of its own serves until destruction.
class HttpServer {
 public:
  explicit HttpServer(std::map<std::string, HttpReply> replies);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// `http://127.0.0.1:PORT`.
  std::string address() const;
  int num_requests() const { return num_requests_; }

 private:
  void serve();
  void answer(int socket);

  std::map<std::string, HttpReply> replies_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopped_{false};
  std::atomic<int> num_requests_{0};
  std::thread thread_;
};

}  // namespace twofold::testing
