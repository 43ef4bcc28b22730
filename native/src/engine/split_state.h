#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// llama.cpp reads and writes the state of a whole sequence. In a KV cache, a state is a list of keys and values per
// position, so a part of it can be kept, and parts joined to a state again. Without Node-API and without llama.cpp.

// Rows of one layer: its keys, or its values.
struct StateSection {
  int32_t type;
  uint64_t row_bytes;  // Per position.
  bool operator==(const StateSection&) const = default;
};

struct StateFormat {
  uint32_t streams;
  uint32_t layers;
  std::vector<StateSection> sections;
  bool operator==(const StateFormat&) const = default;

  // Size of a part, and of a state with this many positions.
  size_t part_bytes(size_t positions) const;
  size_t state_bytes(size_t positions) const;
};

// Where the rows of each position are in the bytes of a state.
struct StateMap {
  StateFormat format;
  std::vector<uint32_t> rows;     // [positions] The row of each position, in every section.
  std::vector<size_t> offsets;    // [sections] Offset of the section's first row.
};

// Null unless the bytes are, completely, a state of the positions 0, 1, … in one stream of a cache whose values are not
// transposed.
std::optional<StateMap> map_state(std::span<const uint8_t> state);

// Copies the positions [from, to) to `part`, which has room for part_bytes(to - from). Requires to <= rows.size().
void copy_part(std::span<const uint8_t> state, const StateMap& map, size_t from, size_t to, uint8_t* part);

struct StatePart {
  std::span<const uint8_t> bytes;
  size_t positions;  // How many of its positions are used, counted from its first one.
};

// Writes the state that consists of these parts, at positions 0, 1, … Returns false, with nothing written, if a part has
// fewer positions than are used. `state` has room for state_bytes of all positions.
bool join_parts(const StateFormat& format, std::span<const StatePart> parts, uint8_t* state);
