#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "grammar/char_dfa.h"

// A context-free grammar over bytes: each rule is an automaton whose edges read a byte, enter another rule, or read
// nothing. An edge may count: an item of a rule has one count, which bounds repetitions without a state for each.
class GrammarRules {
 public:
  enum class Kind : uint8_t { kBytes, kCall, kTailCall, kEmpty };

  // An edge can be followed if the count is at least `least` and, if the edge `counts`, below `below`; the count then
  // grows by one.
  struct Guard {
    uint32_t least = 0;
    uint32_t below = UINT32_MAX;
    bool counts = false;
  };
  struct Edge {
    uint32_t target;
    uint32_t rule;  // The rule that a call enters.
    Guard guard;
    uint8_t low, high;
    Kind kind;
  };
  // Instead of a count: no bound can stop it any more.
  static constexpr uint32_t kAnyCount = UINT32_MAX;
  // The bounds that all guards reachable from a state place on a count.
  struct CountBounds {
    uint32_t least = 0;
    uint32_t below = UINT32_MAX;
    uint32_t free_edges = 0;  // Edges that count without reading a byte.

    // The count, or kAnyCount if no guard distinguishes it from larger counts.
    uint32_t reduced(uint32_t count) const { return below == UINT32_MAX && count >= least ? kAnyCount : count; }
    // Whether no guard can stop the count within `bytes` bytes. Between two bytes, an item takes each edge at most
    // once.
    bool out_of_reach(uint32_t count, uint64_t bytes) const {
      return count >= least && count + bytes + (bytes + 1) * free_edges <= below;
    }
  };
  struct State {
    uint32_t first_edge;
    uint32_t edge_count;
    uint32_t bounds;
    bool accepting;
    bool lasting;  // Whether it reads a byte or waits for a rule; other items matter only while their row is built.
  };
  struct Rule {
    uint32_t start;
    bool nullable;
  };

  const Rule& rule(uint32_t index) const { return rules_[index]; }
  const State& state(uint32_t index) const { return states_[index]; }
  const Edge* edges(const State& state) const { return edges_.data() + state.first_edge; }
  const CountBounds& bounds(uint32_t state) const { return bounds_[states_[state].bounds]; }

 private:
  friend class GrammarBuilder;
  std::vector<Rule> rules_;
  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::vector<CountBounds> bounds_{CountBounds{}};  // The first entry belongs to automata that do not count.
};

class GrammarBuilder {
 public:
  explicit GrammarBuilder(GrammarBudget& budget);

  GrammarBudget& budget() { return budget_; }

  // Adds a rule whose start is a new state.
  uint32_t add_rule();
  uint32_t start(uint32_t rule) const { return rules_[rule]; }
  uint32_t add_state();
  void accept(uint32_t state) { accepting_[state] = true; }
  size_t state_count() const { return edges_.size(); }
  // Whether no edge leaves the state.
  bool is_unused(uint32_t state) const { return edges_[state].empty(); }

  using Guard = GrammarRules::Guard;
  void add_empty(uint32_t from, uint32_t to, const Guard& guard = {});
  void add_byte(uint32_t from, char byte, uint32_t to, const Guard& guard = {});
  void add_bytes(uint32_t from, uint8_t low, uint8_t high, uint32_t to, const Guard& guard = {});
  void add_call(uint32_t from, uint32_t rule, uint32_t to, const Guard& guard = {});
  // Returns the state after the literal.
  uint32_t add_literal(uint32_t from, std::string_view bytes);
  void add_literal(uint32_t from, std::string_view bytes, uint32_t to);

  enum class Spelling { kPlain, kJsonString };
  // Adds one character of the set, as UTF-8 or as in a JSON string, where it is escaped only if necessary.
  void add_character(uint32_t from, const CharSet& characters, uint32_t to, Spelling spelling, const Guard& guard = {});
  // Adds a text of the language, without quotes.
  void add_language(uint32_t from, const CharDfa& language, uint32_t to, Spelling spelling);
  // The same with `min` to `max` characters, which the rule then counts. From a state near `max`, the shortest path to
  // an accepted text remains possible; `max - min` should be at least the number of the language's states.
  void add_language(uint32_t from, const CharDfa& language, uint32_t to, Spelling spelling, uint32_t min, uint32_t max);

  // Removes everything that can never be completed. Throws ERR_GRAMMAR_INVALID if nothing matches one of the roots.
  std::shared_ptr<const GrammarRules> finish(const std::vector<uint32_t>& roots);

 private:
  void add_edge(uint32_t from, GrammarRules::Edge edge);
  void add_utf8(uint32_t from, const CodeRange& range, uint32_t to, const Guard& guard);
  bool only_ends(uint32_t state) const;
  void find_count_bounds(GrammarRules& grammar) const;
  template <typename Passes>
  std::vector<uint8_t> spread_back(const Passes& passes) const;

  GrammarBudget& budget_;
  std::vector<uint32_t> rules_;
  std::vector<std::vector<GrammarRules::Edge>> edges_;
  std::vector<uint8_t> accepting_;
  size_t edge_count_ = 0;
};
