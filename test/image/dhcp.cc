// Runs the DHCP client of image/init for dhcp.native.test.ts. Each line of standard input is a command; each command prints one
// line of JSON. Random numbers are always `transaction`, so that times have no jitter.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "../../image/init/dhcp_client.h"

using namespace cloister::guest;

namespace {

constexpr MacAddress mac{0x52, 0x54, 0x00, 0x12, 0x34, 0x56};
constexpr std::uint32_t transaction = 1000;

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string json(const DhcpLease& lease) {
  std::ostringstream text;
  text << "{\"address\":" << lease.address << ",\"prefixBits\":" << lease.prefix_bits << ",\"server\":" << lease.server;
  if (lease.gateway) text << ",\"gateway\":" << *lease.gateway;
  text << ",\"nameservers\":[";
  for (std::size_t index = 0; index < lease.nameservers.size(); index++) {
    text << (index == 0 ? "" : ",") << lease.nameservers[index];
  }
  text << "]";
  if (lease.mtu) text << ",\"mtu\":" << *lease.mtu;
  text << ",\"seconds\":[" << lease.renewal_seconds << "," << lease.rebinding_seconds << "," << lease.lease_seconds << "]}";
  return text.str();
}

std::string json(const DhcpActions& actions, const DhcpClient& client) {
  std::ostringstream text;
  text << "{\"isLost\":" << (actions.is_lost ? "true" : "false");
  if (actions.lease) text << ",\"lease\":" << json(*actions.lease);
  if (actions.message) text << ",\"message\":\"" << to_hex(*actions.message) << "\"";
  if (actions.server) text << ",\"server\":" << *actions.server;
  if (client.deadline()) text << ",\"deadline\":" << *client.deadline();
  text << "}";
  return text.str();
}

std::string json(const std::optional<DhcpReply>& reply) {
  if (!reply) return "null";
  constexpr const char* kinds[] = {"offer", "acknowledgement", "refusal"};
  return std::string("{\"kind\":\"") + kinds[static_cast<int>(reply->kind)] + "\",\"lease\":" + json(reply->lease) + "}";
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void require_usable(const DhcpLease& lease) {
  require(lease.address != 0 && lease.address >> 24 != 127 && lease.address >> 24 < 224, "the address is a host's");
  require(lease.prefix_bits >= 1 && lease.prefix_bits <= 32, "the prefix length is 1 to 32");
  require(lease.nameservers.size() <= 3, "at most three nameservers are used");
  require(lease.lease_seconds >= 30, "a lease is at least 30 seconds long");
  require(lease.renewal_seconds < lease.rebinding_seconds && lease.rebinding_seconds < lease.lease_seconds, "the times are in order");
  require(lease.renewal_seconds >= 15, "a lease is not renewed all the time");
  require(!lease.mtu || *lease.mtu >= 576, "the MTU is that of an IPv4 network");
}

// Changes, removes, inserts or repeats bytes, or writes a length at random.
Bytes mutate(Bytes bytes, std::mt19937& random) {
  const unsigned changes = 1 + random() % 6;
  for (unsigned change = 0; change < changes && !bytes.empty(); change++) {
    const std::size_t at = random() % bytes.size();
    const auto position = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 6) {
      case 0: bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
      case 1: bytes[at] = static_cast<std::uint8_t>(random()); break;
      case 2: bytes.resize(at); break;
      case 3: bytes.insert(position, static_cast<std::uint8_t>(random())); break;
      case 4: bytes.erase(position); break;
      default: {
        const std::size_t count = std::min<std::size_t>(random() % 16, bytes.size() - at);
        const Bytes copy(position, position + static_cast<std::ptrdiff_t>(count));
        bytes.insert(position, copy.begin(), copy.end());
      }
    }
  }
  return bytes;
}

struct FuzzCounts {
  std::size_t accepted = 0, leases = 0, messages = 0;
};

// Gives changed packets to the parsers, and whole conversations to the client.
FuzzCounts fuzz(const std::vector<Bytes>& seeds, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  FuzzCounts counts;
  std::uint64_t now = 0;
  auto client = std::make_unique<DhcpClient>(mac, [] { return transaction; }, now);
  for (std::size_t step = 0; step < count; step++) {
    const Bytes& seed_bytes = seeds[random() % seeds.size()];
    // A buffer of exactly its size, so that the sanitizer sees each byte that is read past the end.
    const Bytes input = random() % 4 == 0 ? seed_bytes : mutate(seed_bytes, random);
    const auto reply = parse_dhcp_reply(input, transaction, mac);
    if (reply && reply->kind != DhcpReplyKind::refusal) require_usable(reply->lease);
    counts.accepted += reply ? 1 : 0;
    const auto message = unwrap_packet(input, random() % 2 == 0);
    if (message) require(message->data() + message->size() <= input.data() + input.size(), "a message is inside its packet");
    if (random() % 1024 == 0) client = std::make_unique<DhcpClient>(mac, [] { return transaction; }, now);
    const bool had_lease = client->has_lease();
    const DhcpActions actions = client->receive(input, now);
    require(!actions.lease || client->has_lease(), "a lease that is announced is held");
    require(!actions.is_lost || had_lease, "only a held lease is lost");
    if (actions.lease) require_usable(*actions.lease);
    counts.leases += actions.lease ? 1 : 0;
    if (random() % 8 == 0 && client->deadline()) {
      now = std::max(now, *client->deadline());
      const DhcpActions expired = client->expire(now);
      require(!client->deadline() || *client->deadline() > now, "the next deadline is in the future");
      counts.messages += expired.message ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace

int main() {
  std::unique_ptr<DhcpClient> client;
  std::vector<Bytes> seeds;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command, hex;
    std::uint64_t now = 0;
    words >> command;
    if (command == "parse") {
      words >> hex;
      std::cout << json(parse_dhcp_reply(from_hex(hex), transaction, mac)) << "\n";
    } else if (command == "wrap") {
      words >> hex;
      std::cout << "\"" << to_hex(wrap_in_broadcast(from_hex(hex))) << "\"\n";
    } else if (command == "unwrap") {
      bool has_checksum = true;
      words >> has_checksum >> hex;
      const Bytes packet = from_hex(hex);
      const auto message = unwrap_packet(packet, has_checksum);
      std::cout << (message ? "\"" + to_hex(*message) + "\"" : "null") << "\n";
    } else if (command == "start") {
      words >> now;
      client = std::make_unique<DhcpClient>(mac, [] { return transaction; }, now);
      std::cout << json({}, *client) << "\n";
    } else if (command == "expire") {
      words >> now;
      const DhcpActions actions = client->expire(now);
      std::cout << json(actions, *client) << "\n";
    } else if (command == "receive") {
      words >> now >> hex;
      const DhcpActions actions = client->receive(from_hex(hex), now);
      std::cout << json(actions, *client) << "\n";
    } else if (command == "seed") {
      words >> hex;
      seeds.push_back(from_hex(hex));
      std::cout << seeds.size() << "\n";
    } else if (command == "fuzz") {
      std::size_t count = 0;
      unsigned seed = 0;
      words >> count >> seed;
      const FuzzCounts counts = fuzz(seeds, count, seed);
      std::cout << "{\"accepted\":" << counts.accepted << ",\"leases\":" << counts.leases
                << ",\"messages\":" << counts.messages << "}\n";
    }
  }
}
