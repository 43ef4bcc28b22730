// Messages of DHCP version 4, without sockets or clocks. Replies come from an untrusted network: every length is checked, and
// a reply with a missing, repeated or invalid field is rejected as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cloister::guest {

// In host byte order.
using Ipv4 = std::uint32_t;
using MacAddress = std::array<std::uint8_t, 6>;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint16_t dhcp_server_port = 67;
constexpr std::uint16_t dhcp_client_port = 68;
constexpr Ipv4 ipv4_broadcast = 0xffffffff;
constexpr std::uint32_t lease_without_end = 0xffffffff;

struct DhcpLease {
  Ipv4 address = 0;
  unsigned prefix_bits = 0;
  Ipv4 server = 0;
  std::optional<Ipv4> gateway;
  std::vector<Ipv4> nameservers;  // At most three, which is the resolver's limit.
  std::optional<unsigned> mtu;
  std::uint32_t lease_seconds = 0;  // Or `lease_without_end`.
  std::uint32_t renewal_seconds = 0;
  std::uint32_t rebinding_seconds = 0;
};

enum class DhcpReplyKind { offer, acknowledgement, refusal };

struct DhcpReply {
  DhcpReplyKind kind;
  // Of a refusal, only the server is set.
  DhcpLease lease;
};

enum class DhcpRequestKind : std::uint8_t { discover = 1, request = 3 };

struct DhcpRequest {
  DhcpRequestKind kind = DhcpRequestKind::discover;
  std::uint32_t transaction = 0;
  MacAddress mac{};
  std::uint16_t seconds = 0;       // Since the exchange began.
  Ipv4 client_address = 0;         // The leased address, when a lease is renewed.
  std::optional<Ipv4> requested;   // The offered address, when an offer is accepted.
  std::optional<Ipv4> server;      // The server whose offer is accepted.
};

// RFC 2131, section 4.3.1 and table 5.
Bytes format_dhcp_request(const DhcpRequest& request);

// Returns nothing if the bytes are not a valid reply to this transaction of this interface. RFC 2131, table 3; RFC 2132.
std::optional<DhcpReply> parse_dhcp_reply(std::span<const std::uint8_t> bytes, std::uint32_t transaction,
                                          const MacAddress& mac);

// An IPv4 packet from 0.0.0.0 to the broadcast address with this message, for an interface without an address.
Bytes wrap_in_broadcast(const Bytes& message);

// Returns the message in an IPv4 packet from a DHCP server's port to the client's port. The kernel may leave the UDP checksum
// of packets from the same host unfinished; it is not verified then.
std::optional<std::span<const std::uint8_t>> unwrap_packet(std::span<const std::uint8_t> packet,
                                                           bool has_udp_checksum);

}  // namespace cloister::guest
