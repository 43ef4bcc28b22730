// The guest's network interface, eth0. Each function powers the machine off if the kernel rejects a setting.
#pragma once

#include <optional>
#include <vector>

#include "dhcp_message.h"

namespace cloister::guest {

struct InterfaceAddresses {
  Ipv4 address = 0;
  unsigned prefix_bits = 24;
  std::optional<Ipv4> gateway;
  std::optional<unsigned> mtu;
};

class NetworkInterface {
 public:
  // Waits for eth0, and brings up lo and eth0 without addresses.
  NetworkInterface();

  int index() const { return index_; }
  const MacAddress& mac() const { return mac_; }

  // Waits for the link, for a limited time: messages sent before are lost.
  void wait_for_link() const;

  // Replaces address and routes. A gateway outside the network of the address gets a route of its own.
  void set(const InterfaceAddresses& addresses) const;

  // Removes the address and with it the routes.
  void clear() const;

 private:
  int index_ = 0;
  MacAddress mac_{};
};

constexpr const char* interface_name = "eth0";

}  // namespace cloister::guest
