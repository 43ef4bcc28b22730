#include "engine/split_state.h"

#include <cstring>

namespace {

// llama.cpp begins a state with this number and the number of the sequence, which is ignored when the state is restored.
constexpr uint32_t kMagic = 0xaf143cd8;
// A position: its number, the number of sequences that it belongs to, and the sequence.
constexpr size_t kPositionBytes = 3 * sizeof(int32_t);
constexpr size_t kSectionHeaderBytes = sizeof(int32_t) + sizeof(uint64_t);
constexpr uint32_t kStreamsMax = 1 << 16;

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  template <typename Value>
  bool read(Value& value) {
    if (left() < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return true;
  }
  bool skip(uint64_t count, uint64_t size) {
    if (size > 0 && count > left() / size) return false;
    at_ += static_cast<size_t>(count * size);
    return true;
  }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

class Writer {
 public:
  explicit Writer(uint8_t* bytes) : bytes_(bytes) {}
  template <typename Value>
  void write(const Value& value) {
    copy(&value, sizeof value);
  }
  void copy(const void* from, size_t size) {
    std::memcpy(bytes_, from, size);
    bytes_ += size;
  }

 private:
  uint8_t* bytes_;
};

// Reads the positions of the only stream that has any.
bool read_positions(Reader& reader, uint32_t count, std::vector<uint32_t>& rows) {
  if (count > reader.left() / kPositionBytes) return false;
  constexpr uint32_t kNone = UINT32_MAX;
  rows.assign(count, kNone);
  for (uint32_t row = 0; row < count; ++row) {
    int32_t position, sequence;
    uint32_t sequences;
    if (!reader.read(position) || !reader.read(sequences) || !reader.read(sequence)) return false;
    const bool is_next = sequences == 1 && position >= 0 && static_cast<uint32_t>(position) < count;
    if (!is_next || rows[static_cast<size_t>(position)] != kNone) return false;
    rows[static_cast<size_t>(position)] = row;
  }
  return true;
}

}  // namespace

size_t StateFormat::part_bytes(size_t positions) const {
  uint64_t row_bytes = 0;
  for (const StateSection& section : sections) row_bytes += section.row_bytes;
  return positions * static_cast<size_t>(row_bytes);
}

size_t StateFormat::state_bytes(size_t positions) const {
  const size_t counts = sizeof(uint32_t) * (3 + streams + 2);
  return counts + positions * kPositionBytes + sections.size() * kSectionHeaderBytes + part_bytes(positions);
}

std::optional<StateMap> map_state(std::span<const uint8_t> state) {
  Reader reader(state);
  StateMap map{};
  StateFormat& format = map.format;
  uint32_t magic;
  int32_t sequence;
  if (!reader.read(magic) || magic != kMagic || !reader.read(sequence)) return std::nullopt;
  if (!reader.read(format.streams) || format.streams == 0 || format.streams > kStreamsMax) return std::nullopt;
  uint32_t count = 0, stream = 0;
  for (; stream < format.streams && count == 0; ++stream) {
    if (!reader.read(count)) return std::nullopt;
  }
  if (count == 0 || !read_positions(reader, count, map.rows)) return std::nullopt;
  const size_t after = (format.streams - stream) * sizeof(uint32_t);
  uint32_t is_transposed;
  if (!reader.read(is_transposed) || is_transposed != 0 || !reader.read(format.layers)) return std::nullopt;
  while (reader.left() > after) {
    StateSection section;
    if (!reader.read(section.type) || !reader.read(section.row_bytes)) return std::nullopt;
    map.offsets.push_back(reader.at());
    if (!reader.skip(count, section.row_bytes)) return std::nullopt;
    format.sections.push_back(section);
  }
  const size_t sections = format.sections.size();
  if (reader.left() != after || sections < format.layers || sections > 2 * size_t{format.layers}) return std::nullopt;
  for (; stream < format.streams; ++stream) {
    if (!reader.read(count) || count != 0) return std::nullopt;
  }
  return map;
}

void copy_part(std::span<const uint8_t> state, const StateMap& map, size_t from, size_t to, uint8_t* part) {
  Writer writer(part);
  for (size_t section = 0; section < map.offsets.size(); ++section) {
    const auto row_bytes = static_cast<size_t>(map.format.sections[section].row_bytes);
    const uint8_t* rows = state.data() + map.offsets[section];
    for (size_t begin = from, end; begin < to; begin = end) {
      // Usually all rows are in the order of their positions.
      for (end = begin + 1; end < to && map.rows[end] == map.rows[end - 1] + 1;) ++end;
      writer.copy(rows + map.rows[begin] * row_bytes, (end - begin) * row_bytes);
    }
  }
}

bool join_parts(const StateFormat& format, std::span<const StatePart> parts, uint8_t* state) {
  const size_t position_bytes = format.part_bytes(1);
  size_t positions = 0;
  for (const StatePart& part : parts) {
    if (part.positions * position_bytes > part.bytes.size()) return false;
    positions += part.positions;
  }
  Writer writer(state);
  writer.write(kMagic);
  writer.write(int32_t{0});
  writer.write(format.streams);
  writer.write(static_cast<uint32_t>(positions));
  for (size_t position = 0; position < positions; ++position) {
    writer.write(static_cast<int32_t>(position));
    writer.write(uint32_t{1});
    writer.write(int32_t{0});
  }
  writer.write(uint32_t{0});
  writer.write(format.layers);
  size_t row_offset = 0;  // Of the section in a part, per position.
  for (const StateSection& section : format.sections) {
    writer.write(section.type);
    writer.write(section.row_bytes);
    const auto row_bytes = static_cast<size_t>(section.row_bytes);
    for (const StatePart& part : parts) {
      const size_t saved = part.bytes.size() / position_bytes;
      writer.copy(part.bytes.data() + saved * row_offset, part.positions * row_bytes);
    }
    row_offset += row_bytes;
  }
  for (uint32_t stream = 1; stream < format.streams; ++stream) writer.write(uint32_t{0});
  return true;
}
