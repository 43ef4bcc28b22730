#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Where a quote service listens: on the host's vsock, or on a UNIX socket where a proxy brings it nearer.
struct QuoteServiceAddress {
  uint32_t context_id = 2;  // The host.
  uint32_t port = 4050;
  std::string unix_path;  // Wins where it is not empty.
};

// Sends one message and receives one, each with its length before it, as four bytes, most significant first.
// Throws CodedError: ERR_QUOTE_SERVICE_UNREACHABLE, ERR_QUOTE_TIMEOUT.
std::vector<uint8_t> exchange_message(const QuoteServiceAddress& address, const std::vector<uint8_t>& message,
                                      int timeout_ms);
