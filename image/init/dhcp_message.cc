#include "dhcp_message.h"

#include <algorithm>
#include <bit>

namespace cloister::guest {

namespace {

using View = std::span<const std::uint8_t>;

// The fixed part of a message. RFC 2131, figure 1.
constexpr std::size_t operation_at = 0;
constexpr std::size_t hardware_at = 1;
constexpr std::size_t transaction_at = 4;
constexpr std::size_t seconds_at = 8;
constexpr std::size_t client_address_at = 12;
constexpr std::size_t offered_address_at = 16;
constexpr std::size_t mac_at = 28;
constexpr std::size_t server_name_at = 44;
constexpr std::size_t file_at = 108;
constexpr std::size_t cookie_at = 236;
constexpr std::size_t options_at = 240;
constexpr std::uint32_t cookie = 0x63825363;
constexpr std::uint8_t request_operation = 1;
constexpr std::uint8_t reply_operation = 2;
constexpr std::uint8_t ethernet = 1;
// Some relays drop shorter messages. RFC 1542, section 2.1.
constexpr std::size_t message_bytes_min = 300;
constexpr std::uint16_t message_bytes_max = 1500;

enum Option : std::uint8_t {
  padding = 0,
  subnet_mask = 1,
  routers = 3,
  nameservers = 6,
  interface_mtu = 26,
  requested_address = 50,
  lease_time = 51,
  overload = 52,
  message_type = 53,
  server_identifier = 54,
  parameter_list = 55,
  message_size_max = 57,
  renewal_time = 58,
  rebinding_time = 59,
  client_identifier = 61,
  end = 255,
};

constexpr std::uint8_t wanted_options[] = {subnet_mask, routers,      nameservers,   interface_mtu,
                                           lease_time,  renewal_time, rebinding_time};
constexpr std::size_t nameservers_max = 3;
// A shorter lease would keep the client busy.
constexpr std::uint32_t lease_seconds_min = 30;
// RFC 791: every network carries packets of this size.
constexpr unsigned mtu_min = 576;

constexpr std::size_t ip_header_bytes = 20;
constexpr std::size_t udp_header_bytes = 8;
constexpr std::uint8_t udp_protocol = 17;

std::uint16_t read_16(View bytes, std::size_t at) { return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]); }

std::uint32_t read_32(View bytes, std::size_t at) {
  return std::uint32_t{read_16(bytes, at)} << 16 | read_16(bytes, at + 2);
}

void write_16(Bytes& bytes, std::size_t at, std::uint32_t value) {
  bytes[at] = static_cast<std::uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(value);
}

void write_32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  write_16(bytes, at, value >> 16);
  write_16(bytes, at + 2, value & 0xffff);
}

void append_32(Bytes& bytes, std::uint32_t value) {
  bytes.resize(bytes.size() + 4);
  write_32(bytes, bytes.size() - 4, value);
}

void append_address(Bytes& bytes, Option option, std::optional<Ipv4> address) {
  if (!address) return;
  bytes.insert(bytes.end(), {option, 4});
  append_32(bytes, *address);
}

// The options of a reply, each at most once.
class Options {
 public:
  // Reads one area of options, which ends with an end option. Returns false if it is malformed.
  bool add(View area) {
    for (std::size_t at = 0; at < area.size();) {
      const std::uint8_t option = area[at++];
      if (option == padding) continue;
      if (option == end) return true;
      if (at == area.size() || area[at] > area.size() - at - 1) return false;
      const std::size_t length = area[at];
      if (values_[option]) return false;
      values_[option] = area.subspan(at + 1, length);
      at += 1 + length;
    }
    return false;
  }

  bool has(Option option) const { return values_[option].has_value(); }

  std::optional<View> sized(Option option, std::size_t bytes) const {
    const auto& value = values_[option];
    return value && value->size() == bytes ? value : std::nullopt;
  }

  std::optional<std::uint32_t> number(Option option) const {
    const auto value = sized(option, 4);
    return value ? std::optional(read_32(*value, 0)) : std::nullopt;
  }

  // Returns false for a value that is not a list of addresses. A missing option is an empty list.
  bool addresses(Option option, std::vector<Ipv4>& found) const {
    const auto& value = values_[option];
    if (!value) return true;
    if (value->empty() || value->size() % 4 != 0) return false;
    for (std::size_t at = 0; at < value->size(); at += 4) found.push_back(read_32(*value, at));
    return true;
  }

 private:
  std::array<std::optional<View>, 256> values_{};
};

bool read_options(View message, Options& options) {
  if (!options.add(message.subspan(options_at))) return false;
  if (!options.has(overload)) return true;
  const auto areas = options.sized(overload, 1);
  if (!areas || (*areas)[0] < 1 || (*areas)[0] > 3) return false;
  const std::uint8_t bits = (*areas)[0];
  if ((bits & 1) != 0 && !options.add(message.subspan(file_at, cookie_at - file_at))) return false;
  return (bits & 2) == 0 || options.add(message.subspan(server_name_at, file_at - server_name_at));
}

// An address that a single host can have: not of this network, loopback, multicast or reserved.
bool is_host(Ipv4 address) {
  const unsigned first = address >> 24;
  return first != 0 && first != 127 && first < 224;
}

// Clouds have link-local servers, but a link-local address is not leased. RFC 3927.
bool is_link_local(Ipv4 address) { return address >> 16 == 0xa9fe; }

bool read_mask(const Options& options, DhcpLease& lease) {
  const auto mask = options.number(subnet_mask);
  // Its inverse plus one is a power of two if the mask has ones only at its beginning; for zero it is zero.
  if (!mask || !std::has_single_bit(~*mask + 1)) return false;
  lease.prefix_bits = static_cast<unsigned>(std::popcount(*mask));
  if (lease.prefix_bits >= 31) return true;
  const Ipv4 host = lease.address & ~*mask;
  return host != 0 && host != ~*mask;
}

bool read_servers(const Options& options, DhcpLease& lease) {
  std::vector<Ipv4> gateways;
  if (!options.addresses(routers, gateways) || !options.addresses(nameservers, lease.nameservers)) return false;
  if (!gateways.empty()) lease.gateway = gateways.front();
  if (lease.nameservers.size() > nameservers_max) lease.nameservers.resize(nameservers_max);
  return (!lease.gateway || (is_host(*lease.gateway) && *lease.gateway != lease.address)) &&
         std::all_of(lease.nameservers.begin(), lease.nameservers.end(), is_host);
}

bool read_mtu(const Options& options, DhcpLease& lease) {
  if (!options.has(interface_mtu)) return true;
  const auto mtu = options.sized(interface_mtu, 2);
  if (!mtu || read_16(*mtu, 0) < mtu_min) return false;
  lease.mtu = read_16(*mtu, 0);
  return true;
}

// Times that are missing or not in order have the defaults of RFC 2131, section 4.4.5.
bool read_times(const Options& options, DhcpLease& lease) {
  const auto total = options.number(lease_time);
  if (!total || *total < lease_seconds_min) return false;
  lease.lease_seconds = *total;
  const auto renewal = options.number(renewal_time);
  const auto rebinding = options.number(rebinding_time);
  const bool is_ordered = renewal && rebinding && lease_seconds_min / 2 <= *renewal && *renewal < *rebinding && *rebinding < *total;
  lease.renewal_seconds = is_ordered ? *renewal : *total / 2;
  lease.rebinding_seconds = is_ordered ? *rebinding : *total - *total / 8;
  return true;
}

std::optional<DhcpReplyKind> kind_of(const Options& options) {
  const auto type = options.sized(message_type, 1);
  if (!type) return std::nullopt;
  switch ((*type)[0]) {
    case 2: return DhcpReplyKind::offer;
    case 5: return DhcpReplyKind::acknowledgement;
    case 6: return DhcpReplyKind::refusal;
    default: return std::nullopt;
  }
}

bool is_reply_to(View bytes, std::uint32_t transaction, const MacAddress& mac) {
  return bytes.size() > options_at && bytes[operation_at] == reply_operation && bytes[hardware_at] == ethernet &&
         bytes[hardware_at + 1] == mac.size() && read_32(bytes, transaction_at) == transaction &&
         std::equal(mac.begin(), mac.end(), bytes.begin() + mac_at) && read_32(bytes, cookie_at) == cookie;
}

// The Internet checksum, RFC 1071.
std::uint16_t checksum(View bytes, std::uint32_t sum = 0) {
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) sum += read_16(bytes, at);
  if (bytes.size() % 2 != 0) sum += std::uint32_t{bytes.back()} << 8;
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

// The sum of UDP's pseudo header: addresses, protocol and length. RFC 768.
std::uint32_t pseudo_header(View ip_header, std::size_t udp_bytes) {
  return read_16(ip_header, 12) + read_16(ip_header, 14) + read_16(ip_header, 16) + read_16(ip_header, 18) +
         udp_protocol + static_cast<std::uint32_t>(udp_bytes);
}

}  // namespace

Bytes format_dhcp_request(const DhcpRequest& request) {
  Bytes bytes(options_at);
  bytes[operation_at] = request_operation;
  bytes[hardware_at] = ethernet;
  bytes[hardware_at + 1] = static_cast<std::uint8_t>(request.mac.size());
  write_32(bytes, transaction_at, request.transaction);
  write_16(bytes, seconds_at, request.seconds);
  write_32(bytes, client_address_at, request.client_address);
  std::copy(request.mac.begin(), request.mac.end(), bytes.begin() + mac_at);
  write_32(bytes, cookie_at, cookie);
  bytes.insert(bytes.end(), {message_type, 1, static_cast<std::uint8_t>(request.kind)});
  bytes.insert(bytes.end(), {client_identifier, 7, ethernet});
  bytes.insert(bytes.end(), request.mac.begin(), request.mac.end());
  append_address(bytes, requested_address, request.requested);
  append_address(bytes, server_identifier, request.server);
  bytes.insert(bytes.end(), {message_size_max, 2, message_bytes_max >> 8, message_bytes_max & 0xff});
  bytes.insert(bytes.end(), {parameter_list, sizeof wanted_options});
  bytes.insert(bytes.end(), std::begin(wanted_options), std::end(wanted_options));
  bytes.push_back(end);
  if (bytes.size() < message_bytes_min) bytes.resize(message_bytes_min);
  return bytes;
}

std::optional<DhcpReply> parse_dhcp_reply(View bytes, std::uint32_t transaction, const MacAddress& mac) {
  if (!is_reply_to(bytes, transaction, mac)) return std::nullopt;
  Options options;
  if (!read_options(bytes, options)) return std::nullopt;
  const auto kind = kind_of(options);
  const auto server = options.number(server_identifier);
  if (!kind || !server || !is_host(*server)) return std::nullopt;
  DhcpReply reply{*kind, {}};
  reply.lease.server = *server;
  if (*kind == DhcpReplyKind::refusal) return reply;
  reply.lease.address = read_32(bytes, offered_address_at);
  const bool is_valid = is_host(reply.lease.address) && !is_link_local(reply.lease.address) && read_mask(options, reply.lease) &&
                        read_servers(options, reply.lease) && read_mtu(options, reply.lease) &&
                        read_times(options, reply.lease);
  return is_valid ? std::optional(reply) : std::nullopt;
}

Bytes wrap_in_broadcast(const Bytes& message) {
  const std::size_t udp_bytes = udp_header_bytes + message.size();
  Bytes packet(ip_header_bytes + udp_bytes);
  packet[0] = 0x45;  // Version 4, a header of five words.
  write_16(packet, 2, static_cast<std::uint32_t>(ip_header_bytes + udp_bytes));
  packet[8] = 64;  // Hops.
  packet[9] = udp_protocol;
  write_32(packet, 16, ipv4_broadcast);
  write_16(packet, 10, checksum(View(packet).first(ip_header_bytes)));
  write_16(packet, ip_header_bytes, dhcp_client_port);
  write_16(packet, ip_header_bytes + 2, dhcp_server_port);
  write_16(packet, ip_header_bytes + 4, static_cast<std::uint32_t>(udp_bytes));
  std::copy(message.begin(), message.end(), packet.begin() + ip_header_bytes + udp_header_bytes);
  const std::uint16_t sum = checksum(View(packet).subspan(ip_header_bytes), pseudo_header(packet, udp_bytes));
  write_16(packet, ip_header_bytes + 6, sum == 0 ? 0xffff : sum);
  return packet;
}

std::optional<View> unwrap_packet(View packet, bool has_udp_checksum) {
  if (packet.size() < ip_header_bytes || packet[0] >> 4 != 4) return std::nullopt;
  const std::size_t header_bytes = std::size_t{packet[0]} % 16 * 4;
  const std::size_t total = read_16(packet, 2);
  const bool is_fragment = (read_16(packet, 6) & 0x3fff) != 0;
  if (header_bytes < ip_header_bytes || total > packet.size() || total < header_bytes + udp_header_bytes ||
      is_fragment || packet[9] != udp_protocol || checksum(packet.first(header_bytes)) != 0) {
    return std::nullopt;
  }
  // Short frames have padding after the packet.
  const View udp = packet.subspan(header_bytes, total - header_bytes);
  if (read_16(udp, 0) != dhcp_server_port || read_16(udp, 2) != dhcp_client_port || read_16(udp, 4) != udp.size()) {
    return std::nullopt;
  }
  const bool is_summed = has_udp_checksum && read_16(udp, 6) != 0;
  if (is_summed && checksum(udp, pseudo_header(packet, udp.size())) != 0) return std::nullopt;
  return udp.subspan(udp_header_bytes);
}

}  // namespace cloister::guest
