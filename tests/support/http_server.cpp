#include "tests/support/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace twofold::testing {
namespace {

constexpr int kTick = 20;  // milliseconds until a stop is noticed

std::string head(const std::string& status, const std::string& fields) {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + fields + "\r\n";
}

std::string length_field(std::uint64_t length) { return "Content-Length: " + std::to_string(length) + "\r\n"; }

}  // namespace

bool HttpClient::send(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size() && !stopped_) {
    pollfd waiting{socket_, POLLOUT, 0};
    if (poll(&waiting, 1, kTick) == 0) continue;
    const ssize_t now = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now < 0 && errno != EAGAIN) return false;
    if (now > 0) sent += static_cast<std::size_t>(now);
  }
  return sent == bytes.size();
}

bool HttpClient::pause(int milliseconds) const {
  for (int waited = 0; waited < milliseconds; waited += kTick) {
    if (stopped_) return false;
    pollfd waiting{socket_, POLLRDHUP, 0};
    if (poll(&waiting, 1, kTick) != 0) return false;
  }
  return true;
}

HttpReply reply_ok(std::string body) {
  return [body = std::move(body)](const HttpClient& client) {
    client.send(head("200 OK", length_field(body.size())) + body);
  };
}

HttpReply reply_chunked(std::string body) {
  return [body = std::move(body)](const HttpClient& client) {
    client.send(head("200 OK", "Transfer-Encoding: chunked\r\n"));
    for (const char c : body) client.send(std::string("1\r\n") + c + "\r\n");
    client.send("0\r\n\r\n");
  };
}

HttpReply reply_status(std::string status) {
  return [status = std::move(status)](const HttpClient& client) {
    const std::string page = "<html>" + status + "</html>";
    client.send(head(status, length_field(page.size())) + page);
  };
}

HttpReply reply_redirect(std::string location) {
  return [location = std::move(location)](const HttpClient& client) {
    client.send(head("302 Found", "Location: " + location + "\r\n" + length_field(0)));
  };
}

HttpReply reply_claiming(std::uint64_t length, std::string body) {
  return [length, body = std::move(body)](const HttpClient& client) {
    client.send(head("200 OK", length_field(length)) + body);
  };
}

HttpReply reply_endless() {
  return [](const HttpClient& client) {
    const std::string part(1 << 16, 'x');
    bool listens = client.send(head("200 OK", ""));
    for (int sent = 0; listens && sent < 4096; ++sent) listens = client.send(part);
  };
}

HttpReply reply_drip() {
  return [](const HttpClient& client) {
    bool listens = client.send(head("200 OK", length_field(1'000'000)));
    for (int sent = 0; listens && sent < 600; ++sent) listens = client.send("P") && client.pause(100);
  };
}

HttpServer::HttpServer(std::map<std::string, HttpReply> replies) : replies_(std::move(replies)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || bind(listener_, generic, size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, generic, &size) != 0)
    throw std::runtime_error("no loopback server: cannot listen on 127.0.0.1");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  stopped_ = true;
  thread_.join();
  close(listener_);
}

std::string HttpServer::address() const { return "http://127.0.0.1:" + std::to_string(port_); }

void HttpServer::serve() {
  while (!stopped_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (poll(&waiting, 1, kTick) <= 0) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    answer(client);
    shutdown(client, SHUT_WR);
    close(client);
  }
}

void HttpServer::answer(int socket) {
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos && request.size() < 65536) {
    if (stopped_) return;
    pollfd waiting{socket, POLLIN, 0};
    if (poll(&waiting, 1, kTick) == 0) continue;
    char buffer[4096];
    const ssize_t got = recv(socket, buffer, sizeof buffer, 0);
    if (got <= 0) return;
    request.append(buffer, static_cast<std::size_t>(got));
  }
  ++num_requests_;
  const std::size_t start = request.find(' ') + 1;
  const auto found = replies_.find(request.substr(start, request.find(' ', start) - start));
  (found == replies_.end() ? reply_status("404 Not Found") : found->second)(HttpClient(socket, stopped_));
}

}  // namespace twofold::testing
