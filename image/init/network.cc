#include "network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "lease_process.h"
#include "network_interface.h"
#include "resolver_file.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr std::string_view by_dhcp = "dhcp";

struct NetworkSettings {
  // Nothing: by DHCP.
  std::optional<InterfaceAddresses> fixed;
  std::optional<Ipv4> gateway;
  std::optional<Ipv4> nameserver;
};

Ipv4 parse_address(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) stop("the network configuration has a malformed address:", text.c_str());
  return ntohl(address.s_addr);
}

InterfaceAddresses parse_prefixed(const std::string& text) {
  const std::size_t slash = text.find('/');
  InterfaceAddresses found;
  found.address = parse_address(text.substr(0, slash));
  if (slash == text.npos || std::sscanf(text.c_str() + slash, "/%2u", &found.prefix_bits) != 1 || found.prefix_bits > 32) {
    stop("the network configuration has an address without a prefix length of 0 to 32");
  }
  return found;
}

NetworkSettings read_settings(const char* path) {
  NetworkSettings found;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return found;
  char name[16];
  char value[64];
  int fields = 0;
  while ((fields = std::fscanf(file, "%15s %63s", name, value)) == 2) {
    const std::string_view key = name;
    if (key == "address") {
      found.fixed = value == by_dhcp ? std::nullopt : std::optional(parse_prefixed(value));
    } else if (key == "gateway") {
      found.gateway = parse_address(value);
    } else if (key == "nameserver") {
      found.nameserver = parse_address(value);
    } else {
      stop("the network configuration has an unknown line:", name);
    }
  }
  std::fclose(file);
  if (fields != EOF) stop("the network configuration is malformed");
  if (found.gateway && !found.fixed) stop("the network configuration has a gateway, which DHCP sets");
  if (found.fixed) found.fixed->gateway = found.gateway;
  return found;
}

}  // namespace

std::optional<pid_t> configure_network(const char* path, const char* resolver_path) {
  const NetworkSettings settings = read_settings(path);
  const NetworkInterface interface;
  ResolverFile resolver(resolver_path);
  if (settings.nameserver) resolver.fix({*settings.nameserver});
  if (!settings.fixed) return start_lease_process(interface, std::move(resolver));
  interface.set(*settings.fixed);
  return std::nullopt;
}

}  // namespace cloister::guest
