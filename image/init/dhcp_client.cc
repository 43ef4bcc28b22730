#include "dhcp_client.h"

#include <algorithm>
#include <utility>

namespace cloister::guest {

namespace {

constexpr std::uint64_t second = 1000;
// RFC 2131, section 4.1: 4 seconds, doubled up to 64, each more or less by up to a second.
constexpr std::uint64_t pause_min = 4 * second;
constexpr std::uint64_t pause_max = 64 * second;
// Section 4.4.5: between two attempts to extend a lease, half of the remaining time, but at least a minute.
constexpr std::uint64_t extension_pause_min = 60 * second;
// An offer that is not confirmed after these requests is given up.
constexpr unsigned requests_max = 4;

bool is_same(const DhcpLease& a, const DhcpLease& b) {
  return a.address == b.address && a.prefix_bits == b.prefix_bits && a.gateway == b.gateway &&
         a.nameservers == b.nameservers && a.mtu == b.mtu;
}

}  // namespace

DhcpClient::DhcpClient(const MacAddress& mac, std::function<std::uint32_t()> random, std::uint64_t now)
    : mac_(mac), random_(std::move(random)), deadline_(now), pause_(pause_min) {}

DhcpActions DhcpClient::expire(std::uint64_t now) {
  if (!deadline_ || now < *deadline_) return {};
  switch (state_) {
    case State::waiting:
      begin_exchange(State::selecting, now);
      repeat_later(now);
      return send(now);
    case State::selecting:
      repeat_later(now);
      return send(now);
    case State::requesting:
      if (requests_sent_ == requests_max) return restart(now);
      requests_sent_++;
      repeat_later(now);
      return send(now);
    default: return expire_lease(now);
  }
}

DhcpActions DhcpClient::expire_lease(std::uint64_t now) {
  if (now >= lease_ends_at_) {
    DhcpActions actions = restart(now);
    actions.is_lost = true;
    return actions;
  }
  if (now >= rebinding_at_) {
    if (state_ != State::rebinding) begin_exchange(State::rebinding, now);
    repeat_before(lease_ends_at_, now);
  } else {
    if (state_ != State::renewing) begin_exchange(State::renewing, now);
    repeat_before(rebinding_at_, now);
  }
  return send(now);
}

DhcpActions DhcpClient::receive(std::span<const std::uint8_t> bytes, std::uint64_t now) {
  if (state_ == State::waiting || state_ == State::bound) return {};
  const auto reply = parse_dhcp_reply(bytes, transaction_, mac_);
  if (!reply) return {};
  const auto& [kind, lease] = *reply;
  if (state_ == State::selecting) {
    if (kind != DhcpReplyKind::offer) return {};
    lease_ = lease;
    state_ = State::requesting;
    requests_sent_ = 1;
    requested_at_ = now;
    pause_ = pause_min;
    repeat_later(now);
    return send(now);
  }
  // Any server may answer a broadcast for an existing lease.
  const bool is_from_server = state_ == State::rebinding || lease.server == lease_.server;
  if (!is_from_server || kind == DhcpReplyKind::offer) return {};
  if (kind == DhcpReplyKind::refusal) {
    DhcpActions actions;
    actions.is_lost = has_lease();
    restart(now);
    return actions;
  }
  return lease.address == lease_.address ? accept(lease, now) : DhcpActions{};
}

DhcpActions DhcpClient::accept(const DhcpLease& lease, std::uint64_t now) {
  DhcpActions actions;
  if (!has_lease() || !is_same(lease, lease_)) actions.lease = lease;
  lease_ = lease;
  state_ = State::bound;
  pause_ = pause_min;
  deadline_ = std::nullopt;
  if (lease.lease_seconds == lease_without_end) return actions;
  renewal_at_ = requested_at_ + lease.renewal_seconds * second;
  rebinding_at_ = requested_at_ + lease.rebinding_seconds * second;
  lease_ends_at_ = requested_at_ + lease.lease_seconds * second;
  deadline_ = std::max(now + second, renewal_at_);
  return actions;
}

// Waits before it asks again, so that refusals do not make it flood the network.
DhcpActions DhcpClient::restart(std::uint64_t now) {
  state_ = State::waiting;
  repeat_later(now);
  return {};
}

void DhcpClient::begin_exchange(State state, std::uint64_t now) {
  state_ = state;
  transaction_ = random_();
  exchange_started_ = requested_at_ = now;
}

void DhcpClient::repeat_later(std::uint64_t now) {
  deadline_ = now + pause_ - second + random_() % (2 * second + 1);
  pause_ = std::min(pause_ * 2, pause_max);
}

void DhcpClient::repeat_before(std::uint64_t end, std::uint64_t now) {
  deadline_ = std::min(end, now + std::max((end - now) / 2, extension_pause_min));
}

DhcpActions DhcpClient::send(std::uint64_t now) const {
  DhcpRequest request;
  request.transaction = transaction_;
  request.mac = mac_;
  request.seconds = static_cast<std::uint16_t>(std::min<std::uint64_t>((now - exchange_started_) / second, 0xffff));
  DhcpActions actions;
  if (state_ != State::selecting) request.kind = DhcpRequestKind::request;
  if (state_ == State::requesting) {
    request.requested = lease_.address;
    request.server = lease_.server;
  }
  if (has_lease()) request.client_address = lease_.address;
  if (state_ == State::renewing) actions.server = lease_.server;
  actions.message = format_dhcp_request(request);
  return actions;
}

}  // namespace cloister::guest
