#include "platform/tdx_quote_socket.h"

#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/coded_error.h"
#include "base/file_descriptor.h"

namespace {

using Clock = std::chrono::steady_clock;

// Larger than any quote with its certificates.
constexpr uint32_t kMessageBytesMax = 64 * 1024;

[[noreturn]] void unreachable(const std::string& reason) {
  throw CodedError("ERR_QUOTE_SERVICE_UNREACHABLE", "the host's quote service " + reason);
}

[[noreturn]] void too_late() {
  throw CodedError("ERR_QUOTE_TIMEOUT", "the host's quote service did not answer in time");
}

// Waits until the socket is readable or writable; the deadline covers the whole exchange.
void wait_for(const FileDescriptor& socket, short events, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) too_late();
    pollfd one{socket.value(), events, 0};
    const int ready = poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) unreachable(std::string("cannot be waited for: ") + std::strerror(errno));
  }
}

void connect_to(const FileDescriptor& socket, const sockaddr* address, socklen_t length, Clock::time_point deadline) {
  if (connect(socket.value(), address, length) == 0) return;
  if (errno != EINPROGRESS && errno != EINTR) unreachable(std::string("is not there: ") + std::strerror(errno));
  wait_for(socket, POLLOUT, deadline);
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.value(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) unreachable(std::string("is not there: ") + std::strerror(error));
}

FileDescriptor open_socket(const QuoteServiceAddress& address, Clock::time_point deadline) {
  const bool is_unix = !address.unix_path.empty();
  FileDescriptor descriptor(socket(is_unix ? AF_UNIX : AF_VSOCK, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.is_open()) unreachable(std::string("cannot be reached from here: ") + std::strerror(errno));
  if (is_unix) {
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    if (address.unix_path.size() >= sizeof local.sun_path) unreachable("has a path that is too long");
    std::memcpy(local.sun_path, address.unix_path.c_str(), address.unix_path.size() + 1);
    connect_to(descriptor, reinterpret_cast<const sockaddr*>(&local), sizeof local, deadline);
  } else {
    sockaddr_vm host{};
    host.svm_family = AF_VSOCK;
    host.svm_cid = address.context_id;
    host.svm_port = address.port;
    connect_to(descriptor, reinterpret_cast<const sockaddr*>(&host), sizeof host, deadline);
  }
  return descriptor;
}

void send_all(const FileDescriptor& socket, const uint8_t* bytes, size_t size, Clock::time_point deadline) {
  for (size_t sent = 0; sent < size;) {
    wait_for(socket, POLLOUT, deadline);
    const ssize_t count = send(socket.value(), bytes + sent, size - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR && errno != EAGAIN) unreachable(std::string("hung up: ") + std::strerror(errno));
    if (count > 0) sent += static_cast<size_t>(count);
  }
}

void receive_all(const FileDescriptor& socket, uint8_t* bytes, size_t size, Clock::time_point deadline) {
  for (size_t received = 0; received < size;) {
    wait_for(socket, POLLIN, deadline);
    const ssize_t count = recv(socket.value(), bytes + received, size - received, 0);
    if (count == 0) unreachable("hung up before its answer was complete");
    if (count < 0 && errno != EINTR && errno != EAGAIN) unreachable(std::string("hung up: ") + std::strerror(errno));
    if (count > 0) received += static_cast<size_t>(count);
  }
}

}  // namespace

std::vector<uint8_t> exchange_message(const QuoteServiceAddress& address, const std::vector<uint8_t>& message,
                                      int timeout_ms) {
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  const FileDescriptor socket = open_socket(address, deadline);
  const auto size = static_cast<uint32_t>(message.size());
  uint8_t length[4] = {static_cast<uint8_t>(size >> 24), static_cast<uint8_t>(size >> 16),
                       static_cast<uint8_t>(size >> 8), static_cast<uint8_t>(size)};
  send_all(socket, length, sizeof length, deadline);
  send_all(socket, message.data(), message.size(), deadline);
  receive_all(socket, length, sizeof length, deadline);
  const uint32_t answer_size =
      (uint32_t{length[0]} << 24) | (uint32_t{length[1]} << 16) | (uint32_t{length[2]} << 8) | uint32_t{length[3]};
  if (answer_size > kMessageBytesMax) unreachable("announced an answer of " + std::to_string(answer_size) + " bytes");
  std::vector<uint8_t> answer(answer_size);
  receive_all(socket, answer.data(), answer.size(), deadline);
  return answer;
}
