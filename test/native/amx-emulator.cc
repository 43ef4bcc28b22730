// A handler of SIGILL that decodes instructions of AMX (LDTILECFG, TILERELEASE, TILEZERO, TILELOADD, TILESTORED,
// TDPBSSD, TDPBSUD, TDPBUSD, TDPBUUD), computes them on registers that it keeps for each thread, and continues after
// them. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volumes 1 (chapter 18)
// and 2.
#include "amx-emulator.h"

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <cstring>

namespace {

constexpr int kTiles = 8, kRowsMax = 16, kRowBytesMax = 64;

struct Registers {
  uint16_t row_bytes[kTiles];
  uint8_t rows[kTiles];
  alignas(64) uint8_t data[kTiles][kRowsMax][kRowBytesMax];
};
thread_local Registers registers;

struct {
  std::atomic<uint64_t> configurations, zeroed, loads, loaded_bytes, products, multiplied, stores, stored_bytes;
} counts;

struct sigaction previous;

// The memory operand of an instruction.
struct Operand {
  uint8_t* base;
  int64_t stride;
  int length;  // Bytes of ModRM, SIB and displacement.
};

template <typename Number>
Number number_at(const void* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

int64_t general_register(const greg_t* saved, int number) {
  static constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return saved[kPlaces[number]];
}

// Base, index (without which tile loads and stores have no stride) and displacement, from ModRM on.
Operand read_operand(const uint8_t* code, const greg_t* saved, bool high_index, bool high_base) {
  const int mode = code[0] >> 6, field = code[0] & 7;
  int length = 1, base = field | (high_base << 3);
  bool has_base = true;
  int64_t address = 0, stride = 0;
  if (field == 4) {
    const uint8_t sib = code[length++];
    base = (sib & 7) | (high_base << 3);
    has_base = (sib & 7) != 5 || mode != 0;
    const int index = ((sib >> 3) & 7) | (high_index << 3);
    if (index != 4) stride = general_register(saved, index) * (int64_t{1} << (sib >> 6));
  } else if (field == 5 && mode == 0) {
    has_base = false;
    address = reinterpret_cast<int64_t>(code) + 5;  // Relative to the next instruction.
  }
  if (has_base) address += general_register(saved, base);
  if (mode == 1) address += static_cast<int8_t>(code[length++]);
  if (mode == 2 || !has_base) {
    address += number_at<int32_t>(code + length);
    length += 4;
  }
  return {reinterpret_cast<uint8_t*>(address), stride, length};
}

bool load_configuration(const uint8_t* bytes) {
  Registers next{};
  if (bytes[0] != 1) return false;
  for (int byte = 2; byte < 16; ++byte) {
    if (bytes[byte] != 0) return false;
  }
  for (int tile = 0; tile < 16; ++tile) {
    const auto row_bytes = number_at<uint16_t>(bytes + 16 + 2 * tile);
    const uint8_t rows = bytes[48 + tile];
    if (tile >= kTiles && (row_bytes != 0 || rows != 0)) return false;
    if (row_bytes > kRowBytesMax || rows > kRowsMax || (row_bytes == 0) != (rows == 0)) return false;
    if (tile >= kTiles) continue;
    next.row_bytes[tile] = row_bytes;
    next.rows[tile] = rows;
  }
  registers = next;
  ++counts.configurations;
  return true;
}

bool has_shape(int tile) { return registers.rows[tile] > 0; }

void move(int tile, const Operand& memory, bool store) {
  const size_t bytes = registers.row_bytes[tile];
  if (!store) std::memset(registers.data[tile], 0, sizeof registers.data[tile]);
  for (int row = 0; row < registers.rows[tile]; ++row) {
    uint8_t *at = memory.base + row * memory.stride, *line = registers.data[tile][row];
    std::memcpy(store ? at : line, store ? line : at, bytes);
  }
  ++(store ? counts.stores : counts.loads);
  (store ? counts.stored_bytes : counts.loaded_bytes) += bytes * registers.rows[tile];
}

bool fit(int sums, int left, int right) {
  return has_shape(sums) && has_shape(left) && has_shape(right) && sums != left && sums != right && left != right &&
         registers.rows[sums] == registers.rows[left] && registers.row_bytes[sums] == registers.row_bytes[right] &&
         registers.row_bytes[left] == 4 * registers.rows[right] && registers.row_bytes[sums] % 4 == 0;
}

template <typename Left, typename Right>
bool multiply(int sums, int left, int right) {
  if (!fit(sums, left, right)) return false;
  const int rows = registers.rows[sums], depth = registers.rows[right], columns = registers.row_bytes[sums] / 4;
  for (int row = 0; row < rows; ++row) {
    int32_t line[kRowBytesMax / 4];
    std::memcpy(line, registers.data[sums][row], sizeof line);
    for (int step = 0; step < 4 * depth; ++step) {
      const auto factor = static_cast<Left>(registers.data[left][row][step]);
      const uint8_t* others = registers.data[right][step / 4] + step % 4;
      for (int column = 0; column < columns; ++column) line[column] += factor * static_cast<Right>(others[4 * column]);
    }
    std::memcpy(registers.data[sums][row], line, sizeof line);
  }
  ++counts.products;
  counts.multiplied += static_cast<uint64_t>(rows) * static_cast<uint64_t>(depth * 4) * static_cast<uint64_t>(columns);
  return true;
}

enum Prefix { kNone, k66, kF3, kF2 };

bool multiply_any(int prefix, int sums, int left, int right) {
  if (prefix == kF2) return multiply<int8_t, int8_t>(sums, left, right);
  if (prefix == kF3) return multiply<int8_t, uint8_t>(sums, left, right);
  if (prefix == k66) return multiply<uint8_t, int8_t>(sums, left, right);
  return multiply<uint8_t, uint8_t>(sums, left, right);
}

// Executes the instruction at the program counter, if it is one of a tile and permitted.
bool emulate(ucontext_t* context) {
  greg_t* saved = context->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const uint8_t*>(saved[REG_RIP]);
  if (code[0] != 0xC4 || (code[1] & 0x1F) != 2) return false;  // VEX, map 0F38.
  const int prefix = code[2] & 3, third = (~code[2] >> 3) & 15, opcode = code[3];
  const int mode = code[4] >> 6, tile = (code[4] >> 3) & 7, other = code[4] & 7;
  int length = 1;
  if (opcode == 0x5E) {
    if (mode != 3 || third >= kTiles || !multiply_any(prefix, tile, other, third)) return false;
  } else if (opcode == 0x49 && mode == 3 && prefix == kNone && code[4] == 0xC0) {
    registers = {};
  } else if (opcode == 0x49 && mode == 3 && prefix == kF2) {
    if (!has_shape(tile)) return false;
    std::memset(registers.data[tile], 0, sizeof registers.data[tile]);
    ++counts.zeroed;
  } else if ((opcode == 0x49 || opcode == 0x4B) && mode != 3) {
    const Operand memory = read_operand(code + 4, saved, !(code[1] & 0x40), !(code[1] & 0x20));
    length = memory.length;
    if (opcode == 0x4B) {
      if (prefix == kNone || other != 4 || !has_shape(tile)) return false;
      move(tile, memory, prefix == kF3);
    } else if (prefix != kNone || !load_configuration(memory.base + memory.stride)) {
      return false;
    }
  } else {
    return false;
  }
  saved[REG_RIP] += 4 + length;
  return true;
}

void on_illegal_instruction(int, siginfo_t*, void* context) {
  if (emulate(static_cast<ucontext_t*>(context))) return;
  sigaction(SIGILL, &previous, nullptr);  // The instruction runs again, and ends the process.
}

}  // namespace

void install_amx_emulator() {
  struct sigaction action = {};
  action.sa_sigaction = on_illegal_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, &previous);
}

AmxCounts amx_counts() {
  return {counts.configurations, counts.zeroed,     counts.loads,  counts.loaded_bytes,
          counts.products,       counts.multiplied, counts.stores, counts.stored_bytes};
}
