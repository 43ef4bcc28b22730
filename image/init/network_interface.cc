#include "network_interface.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <net/route.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr int tries_max = 200;
constexpr unsigned pause_microseconds = 25'000;

FileDescriptor open_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) stop_with_errno("cannot open a network socket");
  return socket;
}

void write_address(sockaddr& target, Ipv4 address) {
  sockaddr_in internet{};
  internet.sin_family = AF_INET;
  internet.sin_addr.s_addr = htonl(address);
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

bool has_link(int socket) {
  ifreq request = request_for(interface_name);
  return ::ioctl(socket, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & IFF_RUNNING) != 0;
}

int wait_for_interface(int socket) {
  for (int attempt = 0; attempt < tries_max; attempt++) {
    ifreq request = request_for(interface_name);
    if (::ioctl(socket, SIOCGIFINDEX, &request) == 0) return request.ifr_ifindex;
    ::usleep(pause_microseconds);
  }
  stop("eth0 did not appear");
}

Ipv4 mask_of(unsigned prefix_bits) { return prefix_bits == 0 ? 0 : ipv4_broadcast << (32 - prefix_bits); }

void add_route(int socket, Ipv4 target, Ipv4 mask, std::optional<Ipv4> gateway) {
  char device[] = "eth0";
  rtentry route{};
  write_address(route.rt_dst, target);
  write_address(route.rt_genmask, mask);
  route.rt_flags = RTF_UP;
  route.rt_dev = device;
  if (gateway) {
    write_address(route.rt_gateway, *gateway);
    route.rt_flags |= RTF_GATEWAY;
  }
  call(socket, SIOCADDRT, &route, "the route");
}

}  // namespace

NetworkInterface::NetworkInterface() {
  const FileDescriptor socket = open_socket();
  bring_up(socket.value(), "lo");
  index_ = wait_for_interface(socket.value());
  ifreq request = request_for(interface_name);
  call(socket.value(), SIOCGIFHWADDR, &request, "its hardware address");
  std::memcpy(mac_.data(), request.ifr_hwaddr.sa_data, mac_.size());
  bring_up(socket.value(), interface_name);
}

void NetworkInterface::wait_for_link() const {
  const FileDescriptor socket = open_socket();
  for (int attempt = 0; attempt < tries_max && !has_link(socket.value()); attempt++) ::usleep(pause_microseconds);
}

void NetworkInterface::set(const InterfaceAddresses& addresses) const {
  clear();
  const FileDescriptor socket = open_socket();
  ifreq request = request_for(interface_name);
  if (addresses.mtu) {
    request.ifr_mtu = static_cast<int>(*addresses.mtu);
    // The driver may support less than the network.
    if (::ioctl(socket.value(), SIOCSIFMTU, &request) != 0) say("the network interface keeps its MTU");
  }
  const Ipv4 mask = mask_of(addresses.prefix_bits);
  write_address(request.ifr_addr, addresses.address);
  call(socket.value(), SIOCSIFADDR, &request, "the address");
  write_address(request.ifr_netmask, mask);
  call(socket.value(), SIOCSIFNETMASK, &request, "the netmask");
  if (!addresses.gateway) return;
  const Ipv4 gateway = *addresses.gateway;
  if (((gateway ^ addresses.address) & mask) != 0) add_route(socket.value(), gateway, ipv4_broadcast, std::nullopt);
  add_route(socket.value(), 0, 0, gateway);
}

void NetworkInterface::clear() const {
  const FileDescriptor socket = open_socket();
  ifreq request = request_for(interface_name);
  if (::ioctl(socket.value(), SIOCGIFADDR, &request) != 0) return;  // There is none.
  write_address(request.ifr_addr, 0);
  call(socket.value(), SIOCSIFADDR, &request, "the removal of its address");
}

}  // namespace cloister::guest
