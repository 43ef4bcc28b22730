#include "grammar/grammar_rules.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/coded_error.h"

namespace {

// About eight megabytes: a grammar lives as long as its request, and many requests may be queued.
constexpr size_t kStatesMax = 100'000;
constexpr size_t kEdgesMax = 250'000;

bool is_free(const GrammarRules::Guard& guard) { return guard.least == 0 && !guard.counts; }

[[noreturn]] void refuse_size() {
  throw CodedError("ERR_GRAMMAR_INVALID", "the schemas of this request make too large a grammar");
}

}  // namespace

GrammarBuilder::GrammarBuilder(GrammarBudget& budget) : budget_(budget) {}

uint32_t GrammarBuilder::add_rule() {
  rules_.push_back(add_state());
  return static_cast<uint32_t>(rules_.size() - 1);
}

uint32_t GrammarBuilder::add_state() {
  if (edges_.size() >= kStatesMax) refuse_size();
  budget_.spend(4);
  edges_.emplace_back();
  accepting_.push_back(false);
  return static_cast<uint32_t>(edges_.size() - 1);
}

void GrammarBuilder::add_edge(uint32_t from, GrammarRules::Edge edge) {
  if (++edge_count_ > kEdgesMax) refuse_size();
  budget_.spend(1);
  edges_[from].push_back(edge);
}

void GrammarBuilder::add_empty(uint32_t from, uint32_t to, const Guard& guard) {
  add_edge(from, {to, 0, guard, 0, 0, GrammarRules::Kind::kEmpty});
}

void GrammarBuilder::add_byte(uint32_t from, char byte, uint32_t to, const Guard& guard) {
  add_bytes(from, static_cast<uint8_t>(byte), static_cast<uint8_t>(byte), to, guard);
}

void GrammarBuilder::add_bytes(uint32_t from, uint8_t low, uint8_t high, uint32_t to, const Guard& guard) {
  add_edge(from, {to, 0, guard, low, high, GrammarRules::Kind::kBytes});
}

void GrammarBuilder::add_call(uint32_t from, uint32_t rule, uint32_t to, const Guard& guard) {
  add_edge(from, {to, rule, guard, 0, 0, GrammarRules::Kind::kCall});
}

uint32_t GrammarBuilder::add_literal(uint32_t from, std::string_view bytes) {
  for (const char byte : bytes) {
    const uint32_t next = add_state();
    add_byte(from, byte, next);
    from = next;
  }
  return from;
}

void GrammarBuilder::add_literal(uint32_t from, std::string_view bytes, uint32_t to) {
  if (bytes.empty()) return add_empty(from, to);
  add_byte(add_literal(from, bytes.substr(0, bytes.size() - 1)), bytes.back(), to);
}

// Splits the range until all bytes after the first differing byte are 80…BF.
void GrammarBuilder::add_utf8(uint32_t from, const CodeRange& range, uint32_t to, const Guard& guard) {
  static constexpr uint32_t kLastOfLength[] = {0x7F, 0x7FF, 0xFFFF, kCodePointMax};
  for (const uint32_t last : kLastOfLength) {
    if (range.low <= last && range.high > last) {
      add_utf8(from, {range.low, last}, to, guard);
      add_utf8(from, {last + 1, range.high}, to, guard);
      return;
    }
  }
  for (uint32_t bits = 6; bits < 24; bits += 6) {
    const uint32_t mask = (1u << bits) - 1;
    if (range.low < 0x80 || (range.low & ~mask) == (range.high & ~mask)) break;
    if ((range.low & mask) != 0) {
      add_utf8(from, {range.low, range.low | mask}, to, guard);
      add_utf8(from, {(range.low | mask) + 1, range.high}, to, guard);
      return;
    }
    if ((range.high & mask) != mask) {
      add_utf8(from, {range.low, (range.high & ~mask) - 1}, to, guard);
      add_utf8(from, {range.high & ~mask, range.high}, to, guard);
      return;
    }
  }
  std::string low, high;
  append_utf8(low, range.low);
  append_utf8(high, range.high);
  for (size_t at = 0; at < low.size(); ++at) {
    const uint32_t next = at + 1 == low.size() ? to : add_state();
    add_bytes(from, static_cast<uint8_t>(low[at]), static_cast<uint8_t>(high[at]), next, at == 0 ? guard : Guard{});
    from = next;
  }
}

void GrammarBuilder::add_character(uint32_t from, const CharSet& characters, uint32_t to, Spelling spelling,
                                   const Guard& guard) {
  if (spelling == Spelling::kPlain) {
    for (const CodeRange& range : characters.ranges()) {
      if (range.low <= kCodePointMax) add_utf8(from, {range.low, std::min(range.high, kCodePointMax)}, to, guard);
    }
    return;
  }
  static const CharSet plain = CharSet{{0, 0x1F}, {'"', '"'}, {'\\', '\\'}}.complement();
  uint32_t escape = 0, unicode = 0;
  const auto escaped = [&]() {
    if (escape == 0) add_byte(from, '\\', escape = add_state(), guard);
    return escape;
  };
  for (const CodeRange& range : characters.ranges()) {
    for (uint32_t code = range.low; code <= std::min<uint32_t>(range.high, '\\'); ++code) {
      static constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
      const size_t known = kShort.find(static_cast<char>(code));
      if (known != std::string_view::npos) {
        add_byte(escaped(), kLetters[known], to);
      } else if (code < 0x20) {
        if (unicode == 0) unicode = add_literal(escaped(), "u00");
        static constexpr char kHex[] = "0123456789abcdef";
        add_byte(add_literal(unicode, std::string_view(&kHex[code >> 4], 1)), kHex[code & 15], to);
      }
    }
  }
  for (const CodeRange& range : characters.ranges()) {
    for (const CodeRange& allowed : plain.ranges()) {
      const uint32_t low = std::max(range.low, allowed.low), high = std::min(range.high, allowed.high);
      if (low <= high) add_utf8(from, {low, high}, to, guard);
    }
  }
}

void GrammarBuilder::add_language(uint32_t from, const CharDfa& language, uint32_t to, Spelling spelling) {
  std::vector<uint32_t> states(language.size());
  for (uint32_t& state : states) state = add_state();
  add_empty(from, states[0]);
  for (uint32_t state = 0; state < language.size(); ++state) {
    for (const CharDfa::Step& step : language.steps(state)) {
      add_character(states[state], step.characters, states[step.target], spelling);
    }
    if (language.accepting(state)) add_empty(states[state], to);
  }
}

void GrammarBuilder::add_language(uint32_t from, const CharDfa& language, uint32_t to, Spelling spelling, uint32_t min,
                                  uint32_t max) {
  const CharDfa::Distances distances = language.distances(budget_);
  if (distances.longest[0] < min) return;
  std::vector<uint32_t> states(language.size());
  for (uint32_t& state : states) state = add_state();
  add_empty(from, states[0]);
  for (uint32_t state = 0; state < language.size(); ++state) {
    for (const CharDfa::Step& step : language.steps(state)) {
      const uint32_t shortest = distances.shortest[step.target], longest = distances.longest[step.target];
      if (shortest >= max) continue;
      Guard guard{0, max == UINT32_MAX ? max : max - shortest, true};
      if (longest < UINT32_MAX - 1 && min > longest + 1) guard.least = min - longest - 1;
      add_character(states[state], step.characters, states[step.target], spelling, guard);
    }
    if (language.accepting(state)) add_empty(states[state], to, {.least = min});
  }
}

// Propagates a property backwards from the accepting states: a state has it if one of its edges leads to a state that
// has it. `passes` selects the edges that read a byte or nothing; a call counts only if the start of the called rule
// has the property too.
template <typename Passes>
std::vector<uint8_t> GrammarBuilder::spread_back(const Passes& passes) const {
  struct Source {
    uint32_t state;
    const GrammarRules::Edge* edge;
  };
  std::vector<std::vector<Source>> before(edges_.size());
  std::vector<std::vector<Source>> callers(rules_.size());
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    for (const GrammarRules::Edge& edge : edges_[state]) {
      if (!passes(edge)) continue;
      before[edge.target].push_back({state, &edge});
      if (edge.kind == GrammarRules::Kind::kCall) callers[edge.rule].push_back({state, &edge});
    }
  }
  std::vector<std::vector<uint32_t>> starts(edges_.size());
  for (uint32_t rule = 0; rule < rules_.size(); ++rule) starts[rules_[rule]].push_back(rule);
  std::vector<uint8_t> has(edges_.size(), false);
  std::vector<uint32_t> waiting;
  const auto give = [&](uint32_t state) {
    if (!has[state]) has[state] = true, waiting.push_back(state);
  };
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    if (accepting_[state]) give(state);
  }
  while (!waiting.empty()) {
    const uint32_t state = waiting.back();
    waiting.pop_back();
    budget_.spend(1 + before[state].size());
    for (const Source& source : before[state]) {
      if (source.edge->kind != GrammarRules::Kind::kCall || has[rules_[source.edge->rule]]) give(source.state);
    }
    for (const uint32_t rule : starts[state]) {
      for (const Source& source : callers[rule]) {
        if (has[source.edge->target]) give(source.state);
      }
    }
  }
  return has;
}

// Whether a rule in this state can only end.
bool GrammarBuilder::only_ends(uint32_t state) const {
  constexpr int kStepsMax = 16;
  for (int steps = 0; steps < kStepsMax; ++steps) {
    const auto& edges = edges_[state];
    if (edges.empty()) return accepting_[state] != 0;
    if (edges.size() > 1 || edges[0].kind != GrammarRules::Kind::kEmpty || !is_free(edges[0].guard)) return false;
    state = edges[0].target;
  }
  return false;
}

std::shared_ptr<const GrammarRules> GrammarBuilder::finish(const std::vector<uint32_t>& roots) {
  const auto finishes = spread_back([](const GrammarRules::Edge&) { return true; });
  for (const uint32_t root : roots) {
    if (!finishes[rules_[root]]) throw CodedError("ERR_GRAMMAR_INVALID", "no value satisfies the JSON schema");
  }
  const auto empty = spread_back(
      [](const GrammarRules::Edge& edge) { return edge.kind != GrammarRules::Kind::kBytes && edge.guard.least == 0; });
  auto grammar = std::make_shared<GrammarRules>();
  grammar->rules_.reserve(rules_.size());
  for (const uint32_t start : rules_) grammar->rules_.push_back({start, empty[start] != 0});
  grammar->states_.reserve(edges_.size());
  grammar->edges_.reserve(edge_count_);
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    const auto first = static_cast<uint32_t>(grammar->edges_.size());
    for (GrammarRules::Edge edge : edges_[state]) {
      const bool call = edge.kind == GrammarRules::Kind::kCall;
      if (!finishes[edge.target] || (call && !finishes[rules_[edge.rule]])) continue;
      // A tail call continues in the called rule in its caller's place, so that a chain of such calls, as long as the
      // answer, stays one item.
      if (call && is_free(edge.guard) && only_ends(edge.target)) {
        edge.kind = GrammarRules::Kind::kTailCall;
        edge.target = rules_[edge.rule];
      }
      grammar->edges_.push_back(edge);
    }
    const auto count = static_cast<uint32_t>(grammar->edges_.size()) - first;
    const bool lasting = std::any_of(grammar->edges_.begin() + first, grammar->edges_.end(), [](const auto& edge) {
      return edge.kind == GrammarRules::Kind::kBytes || edge.kind == GrammarRules::Kind::kCall;
    });
    grammar->states_.push_back({first, count, 0, accepting_[state] != 0, lasting});
  }
  find_count_bounds(*grammar);
  return grammar;
}

// Connected states share a count, so a bound in any of their guards may affect all of them.
void GrammarBuilder::find_count_bounds(GrammarRules& grammar) const {
  std::vector<uint32_t> parents(edges_.size());
  std::iota(parents.begin(), parents.end(), 0);
  const auto find = [&](uint32_t state) {
    while (parents[state] != state) state = parents[state] = parents[parents[state]];
    return state;
  };
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    for (const GrammarRules::Edge& edge : edges_[state]) parents[find(state)] = find(edge.target);
  }
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    for (const GrammarRules::Edge& edge : edges_[state]) {
      if (is_free(edge.guard)) continue;
      uint32_t& index = grammar.states_[find(state)].bounds;
      if (index == 0) {
        index = static_cast<uint32_t>(grammar.bounds_.size());
        grammar.bounds_.emplace_back();
      }
      GrammarRules::CountBounds& bounds = grammar.bounds_[index];
      bounds.least = std::max(bounds.least, edge.guard.least);
      if (!edge.guard.counts) continue;
      bounds.below = std::min(bounds.below, edge.guard.below);
      if (edge.kind != GrammarRules::Kind::kBytes) ++bounds.free_edges;
    }
  }
  for (uint32_t state = 0; state < edges_.size(); ++state) {
    grammar.states_[state].bounds = grammar.states_[find(state)].bounds;
  }
}
