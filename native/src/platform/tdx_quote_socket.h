#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The address of a quote service: the host's vsock, or a UNIX socket of a proxy.
struct QuoteServiceAddress {
  uint32_t context_id = 2;  // The host.
  uint32_t port = 4050;
  std::string unix_path;  // Takes precedence if not empty.
};

// Sends one message and receives one; each follows its length in four bytes, big-endian. Throws CodedError:
// ERR_QUOTE_SERVICE_UNREACHABLE, ERR_QUOTE_TIMEOUT.
std::vector<uint8_t> exchange_message(const QuoteServiceAddress& address, const std::vector<uint8_t>& message,
                                      int timeout_ms);
