#include "network.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <net/route.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr const char* interface_name = "eth0";
constexpr int interface_tries_max = 200;
constexpr unsigned interface_pause_microseconds = 25'000;

struct Addresses {
  in_addr address;
  unsigned prefix_bits = 24;
  in_addr gateway;
  std::string nameserver;
};

in_addr parse_address(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) stop("the network configuration has a malformed address:", text.c_str());
  return address;
}

Addresses read_addresses(const char* path) {
  Addresses found{parse_address("10.0.2.15"), 24, parse_address("10.0.2.2"), "10.0.2.3"};
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return found;
  char name[16];
  char value[64];
  int fields = 0;
  while ((fields = std::fscanf(file, "%15s %63s", name, value)) == 2) {
    const std::string_view key = name;
    const std::string text = value;
    if (key == "address") {
      const std::size_t slash = text.find('/');
      found.address = parse_address(text.substr(0, slash));
      if (slash == text.npos || std::sscanf(text.c_str() + slash, "/%2u", &found.prefix_bits) != 1 ||
          found.prefix_bits > 32) {
        stop("the network configuration has an address without a prefix length of 0 to 32");
      }
    } else if (key == "gateway") {
      found.gateway = parse_address(text);
    } else if (key == "nameserver") {
      parse_address(text);
      found.nameserver = text;
    } else {
      stop("the network configuration has an unknown line:", name);
    }
  }
  std::fclose(file);
  if (fields != EOF) stop("the network configuration is malformed");
  return found;
}

void set_address(sockaddr& target, in_addr address) {
  sockaddr_in internet{};
  internet.sin_family = AF_INET;
  internet.sin_addr = address;
  std::memcpy(&target, &internet, sizeof internet);
}

void call(int socket, unsigned long request, void* argument, const char* what) {
  if (::ioctl(socket, request, argument) != 0) stop_with_errno("the network interface rejects", what);
}

ifreq request_for(const char* name) {
  ifreq request{};
  std::snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
  return request;
}

void bring_up(int socket, const char* name) {
  ifreq request = request_for(name);
  call(socket, SIOCGIFFLAGS, &request, name);
  request.ifr_flags |= IFF_UP | IFF_RUNNING;
  call(socket, SIOCSIFFLAGS, &request, name);
}

void wait_for_interface(int socket) {
  for (int attempt = 0; attempt < interface_tries_max; attempt++) {
    ifreq request = request_for(interface_name);
    if (::ioctl(socket, SIOCGIFINDEX, &request) == 0) return;
    ::usleep(interface_pause_microseconds);
  }
  stop("eth0 did not appear");
}

}  // namespace

void configure_network(const char* path, const char* resolver_path) {
  const Addresses addresses = read_addresses(path);
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) stop_with_errno("cannot open a network socket");
  bring_up(socket.value(), "lo");
  wait_for_interface(socket.value());

  ifreq request = request_for(interface_name);
  set_address(request.ifr_addr, addresses.address);
  call(socket.value(), SIOCSIFADDR, &request, "the address");
  const std::uint32_t mask = addresses.prefix_bits == 0 ? 0 : ~std::uint32_t{0} << (32 - addresses.prefix_bits);
  set_address(request.ifr_netmask, in_addr{htonl(mask)});
  call(socket.value(), SIOCSIFNETMASK, &request, "the netmask");
  bring_up(socket.value(), interface_name);

  rtentry route{};
  set_address(route.rt_dst, in_addr{});
  set_address(route.rt_genmask, in_addr{});
  set_address(route.rt_gateway, addresses.gateway);
  route.rt_flags = RTF_UP | RTF_GATEWAY;
  call(socket.value(), SIOCADDRT, &route, "the route");

  std::FILE* resolver = std::fopen(resolver_path, "w");
  if (resolver == nullptr) stop_with_errno("cannot write resolv.conf");
  std::fprintf(resolver, "nameserver %s\n", addresses.nameserver.c_str());
  std::fclose(resolver);
}

}  // namespace cloister::guest
