// The states of a DHCP client (RFC 2131, figure 5), without sockets or clocks: the caller passes the time, sends the returned
// messages and configures the interface. It does not probe for other hosts with the leased address, which cloud networks
// prevent, and does not release its lease when the machine powers off.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "dhcp_message.h"

namespace cloister::guest {

// What the caller has to do, in this order.
struct DhcpActions {
  // The lease has expired or was refused: remove the address.
  bool is_lost = false;
  // A new lease, or changed values of the present one: configure the interface.
  std::optional<DhcpLease> lease;
  std::optional<Bytes> message;
  // Where to send the message; without it, it is broadcast.
  std::optional<Ipv4> server;
};

class DhcpClient {
 public:
  // `random` returns 32 random bits. Times are in milliseconds of a clock that never goes back.
  DhcpClient(const MacAddress& mac, std::function<std::uint32_t()> random, std::uint64_t now);

  // When to call `expire` at the latest; nothing while a lease has no end.
  std::optional<std::uint64_t> deadline() const { return deadline_; }

  // Sends, repeats or gives up what is due.
  DhcpActions expire(std::uint64_t now);

  // Handles bytes from the network. Invalid and unexpected ones are ignored.
  DhcpActions receive(std::span<const std::uint8_t> bytes, std::uint64_t now);

  bool has_lease() const { return state_ == State::bound || state_ == State::renewing || state_ == State::rebinding; }

 private:
  enum class State { waiting, selecting, requesting, bound, renewing, rebinding };

  void begin_exchange(State state, std::uint64_t now);
  void repeat_later(std::uint64_t now);
  void repeat_before(std::uint64_t end, std::uint64_t now);
  DhcpActions send(std::uint64_t now) const;
  DhcpActions restart(std::uint64_t now);
  DhcpActions accept(const DhcpLease& lease, std::uint64_t now);
  DhcpActions expire_lease(std::uint64_t now);

  MacAddress mac_;
  std::function<std::uint32_t()> random_;
  State state_ = State::waiting;
  std::uint32_t transaction_ = 0;
  std::uint64_t exchange_started_ = 0;
  // When the first of the present requests was sent: a lease begins then, so that it ends here before it ends at the server.
  std::uint64_t requested_at_ = 0;
  std::optional<std::uint64_t> deadline_;
  // Doubles with each message without an answer, and is reset by a lease.
  std::uint64_t pause_;
  unsigned requests_sent_ = 0;
  DhcpLease lease_;
  std::uint64_t renewal_at_ = 0;
  std::uint64_t rebinding_at_ = 0;
  std::uint64_t lease_ends_at_ = 0;
};

}  // namespace cloister::guest
