#include "lease_process.h"

#include <arpa/inet.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <iterator>
#include <span>
#include <utility>

#include "../../native/src/base/file_descriptor.h"
#include "dhcp_client.h"
#include "sandbox.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr uid_t user = 1001;
constexpr int first_lease_timeout_ms = 120'000;
constexpr std::size_t packet_bytes_max = 2048;
constexpr int poll_max_ms = 3'600'000;

std::uint64_t now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000 + static_cast<std::uint64_t>(time.tv_nsec) / 1'000'000;
}

std::uint32_t random_bits() {
  std::uint32_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) stop_with_errno("the kernel gives no random numbers");
  return bits;
}

// Receives UDP packets to the client's port, whatever their address: servers may send to an address that is not set yet.
FileDescriptor open_packet_socket(int interface_index) {
  FileDescriptor socket(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 9),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 4),
      BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
      BPF_STMT(BPF_LD | BPF_H | BPF_IND, 2),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, dhcp_client_port, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, packet_bytes_max),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  const sock_fprog program{std::size(filter), filter};
  const int on = 1;
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_IP);
  address.sll_ifindex = interface_index;
  if (!socket.is_open() || ::setsockopt(socket.value(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) != 0 ||
      ::setsockopt(socket.value(), SOL_PACKET, PACKET_AUXDATA, &on, sizeof on) != 0 ||
      ::bind(socket.value(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    stop_with_errno("cannot open a packet socket");
  }
  return socket;
}

// Sends from the leased address, and keeps the kernel from refusing what comes to the client's port. It is not read.
FileDescriptor open_client_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  const int smallest = 0;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(dhcp_client_port);
  if (!socket.is_open() || ::setsockopt(socket.value(), SOL_SOCKET, SO_BROADCAST, &on, sizeof on) != 0 ||
      ::setsockopt(socket.value(), SOL_SOCKET, SO_RCVBUF, &smallest, sizeof smallest) != 0 ||
      ::setsockopt(socket.value(), SOL_SOCKET, SO_BINDTODEVICE, interface_name, std::strlen(interface_name)) != 0 ||
      ::bind(socket.value(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    stop_with_errno("cannot open the DHCP client's socket");
  }
  return socket;
}

void give_up_privileges() {
  for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
    // EINVAL: this kernel does not have the capability.
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL) stop_with_errno("cannot drop a capability");
  }
  if (::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 ||
      ::setuid(user) != 0) {
    stop_with_errno("cannot switch to the user of the DHCP client");
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  sets[0].effective = sets[0].permitted = 1u << CAP_NET_ADMIN;
  if (::syscall(SYS_capset, &header, sets) != 0) stop_with_errno("cannot keep CAP_NET_ADMIN");
  enter_sandbox();
}

class LeaseProcess {
 public:
  LeaseProcess(const NetworkInterface& interface, ResolverFile resolver)
      : interface_(interface),
        resolver_(std::move(resolver)),
        packets_(open_packet_socket(interface.index())),
        messages_(open_client_socket()),
        client_(interface.mac(), random_bits, now_ms()) {}

  [[noreturn]] void run(FileDescriptor ready) {
    for (;;) {
      perform(client_.expire(now_ms()));
      wait();
      receive();
      if (!client_.has_lease() || !ready.is_open()) continue;
      if (::write(ready.value(), "", 1) != 1) stop_with_errno("cannot report the DHCP lease");
      ready = FileDescriptor();
    }
  }

 private:
  void wait() const {
    const auto deadline = client_.deadline();
    const std::uint64_t now = now_ms();
    const std::uint64_t left = !deadline ? poll_max_ms : *deadline > now ? *deadline - now : 0;
    pollfd readable{packets_.value(), POLLIN, 0};
    ::poll(&readable, 1, static_cast<int>(std::min<std::uint64_t>(left, poll_max_ms)));
  }

  // Reads one packet.
  void receive() {
    std::array<std::uint8_t, packet_bytes_max> bytes;
    alignas(cmsghdr) std::array<std::uint8_t, CMSG_SPACE(sizeof(tpacket_auxdata))> control;
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = ::recvmsg(packets_.value(), &message, 0);
    if (count <= 0) return;
    const auto found = unwrap_packet(std::span(bytes).first(static_cast<std::size_t>(count)), has_checksum(message));
    if (found) perform(client_.receive(*found, now_ms()));
  }

  static bool has_checksum(msghdr& message) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_PACKET || part->cmsg_type != PACKET_AUXDATA) continue;
      tpacket_auxdata packet{};
      std::memcpy(&packet, CMSG_DATA(part), sizeof packet);
      return (packet.tp_status & TP_STATUS_CSUMNOTREADY) == 0;
    }
    return true;
  }

  void perform(const DhcpActions& actions) {
    if (actions.is_lost) {
      say("the DHCP lease has ended");
      interface_.clear();
    }
    if (actions.lease) {
      const DhcpLease& lease = *actions.lease;
      interface_.set({lease.address, lease.prefix_bits, lease.gateway, lease.mtu});
      resolver_.write(lease.nameservers);
    }
    if (actions.message) send(*actions.message, actions.server);
  }

  // A message that cannot be sent is repeated, like one that is lost.
  void send(const Bytes& message, std::optional<Ipv4> server) const {
    if (client_.has_lease()) {
      sockaddr_in target{};
      target.sin_family = AF_INET;
      target.sin_port = htons(dhcp_server_port);
      target.sin_addr.s_addr = htonl(server.value_or(ipv4_broadcast));
      ::sendto(messages_.value(), message.data(), message.size(), 0, reinterpret_cast<sockaddr*>(&target), sizeof target);
      return;
    }
    const Bytes packet = wrap_in_broadcast(message);
    sockaddr_ll target{};
    target.sll_family = AF_PACKET;
    target.sll_protocol = htons(ETH_P_IP);
    target.sll_ifindex = interface_.index();
    target.sll_halen = ETH_ALEN;
    std::memset(target.sll_addr, 0xff, ETH_ALEN);
    ::sendto(packets_.value(), packet.data(), packet.size(), 0, reinterpret_cast<sockaddr*>(&target), sizeof target);
  }

  const NetworkInterface& interface_;
  ResolverFile resolver_;
  FileDescriptor packets_;
  FileDescriptor messages_;
  DhcpClient client_;
};

void wait_until_ready(int ready) {
  pollfd readable{ready, POLLIN, 0};
  char byte = 0;
  if (::poll(&readable, 1, first_lease_timeout_ms) != 1) stop("no DHCP server leased an address");
  if (::read(ready, &byte, 1) != 1) stop("the DHCP client has ended");
}

}  // namespace

pid_t start_lease_process(const NetworkInterface& interface, ResolverFile resolver) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) stop_with_errno("cannot create a pipe");
  const FileDescriptor ready(ends[0]);
  FileDescriptor reporting(ends[1]);
  const pid_t process = ::fork();
  if (process < 0) stop_with_errno("cannot start the DHCP client");
  if (process == 0) {
    interface.wait_for_link();
    LeaseProcess lease(interface, std::move(resolver));
    give_up_privileges();
    lease.run(std::move(reporting));
  }
  reporting = FileDescriptor();
  wait_until_ready(ready.value());
  return process;
}

}  // namespace cloister::guest
