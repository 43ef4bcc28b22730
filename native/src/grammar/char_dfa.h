#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/char_set.h"

// Limits the work of turning one request's schemas into a grammar. Compilers spend from it as they work; an exhausted
// budget throws ERR_GRAMMAR_INVALID. One unit is a few nanoseconds.
class GrammarBudget {
 public:
  GrammarBudget() = default;
  explicit GrammarBudget(uint64_t units) : left_(units) {}
  void spend(uint64_t units);
  uint64_t left() const { return left_; }

 private:
  uint64_t left_ = 3'000'000;
};

// Rejects an automaton whose table would take too much memory. Throws ERR_GRAMMAR_INVALID.
void require_cells(size_t states, size_t classes);

// Two symbols after the code points, which mark the start and the end of a text while patterns with anchors are
// compiled.
constexpr uint32_t kTextStart = kCodePointMax + 1, kTextEnd = kCodePointMax + 2;

// A deterministic automaton over code points, that is, a regular language. State 0 is the start; each state's row
// contains the next state for each class of code points.
class CharDfa {
 public:
  static constexpr uint32_t kDead = UINT32_MAX;

  static CharDfa nothing();
  static CharDfa everything();
  // Accepts exactly one text.
  static CharDfa literal(std::string_view utf8);
  // Accepts texts of `min` to `max` code points; UINT32_MAX means no upper bound.
  static CharDfa length(uint32_t min, uint32_t max, GrammarBudget& budget);

  CharDfa intersect(const CharDfa& other, GrammarBudget& budget) const;
  CharDfa unite(const CharDfa& other, GrammarBudget& budget) const;
  CharDfa complement(GrammarBudget& budget) const;
  // From each accepted text between kTextStart and kTextEnd, the part between these symbols.
  CharDfa between_marks() const;
  bool matches(std::string_view utf8) const;
  bool empty() const;
  // All accepted texts, if there are at most `most`.
  std::optional<std::vector<std::string>> list(size_t most) const;

  size_t size() const { return accepting_.size(); }
  bool accepting(uint32_t state) const { return accepting_[state] != 0; }
  // The code points that lead from one state to another.
  struct Step {
    uint32_t target;
    CharSet characters;
  };
  std::vector<Step> steps(uint32_t state) const;
  // For each state, the least and greatest number of characters that an accepted text can still have; UINT32_MAX:
  // unbounded.
  struct Distances {
    std::vector<uint32_t> shortest, longest;
  };
  Distances distances(GrammarBudget& budget) const;

 private:
  friend class CharNfa;
  using Classes =
      std::vector<uint32_t>;  // Sorted first code points; the first is 0. A class ends where the next begins.

  template <typename Accepts>
  static CharDfa product(const CharDfa& a, const CharDfa& b, GrammarBudget& budget, const Accepts& accepts);
  uint32_t class_of(uint32_t code) const;
  uint32_t next(uint32_t state, uint32_t character_class) const {
    return state == kDead ? kDead : next_[state * classes_.size() + character_class];
  }
  // Removes the states, except the start, that no accepted text passes through.
  void trim();

  Classes classes_{0};
  std::vector<uint32_t> next_;
  std::vector<uint8_t> accepting_;
};

// A nondeterministic automaton under construction, which is converted to a CharDfa.
class CharNfa {
 public:
  explicit CharNfa(GrammarBudget& budget) : budget_(budget) {}

  uint32_t add_state();
  void add_step(uint32_t from, const CharSet& characters, uint32_t to);
  void add_empty_step(uint32_t from, uint32_t to);
  // Adds a deterministic automaton whose accepting states continue at `to`; returns its start.
  uint32_t add(const CharDfa& dfa, uint32_t to);

  // The texts that lead from `start` to `accept`.
  CharDfa determinize(uint32_t start, uint32_t accept) const;

 private:
  struct Edge {
    uint32_t set;  // Index into sets_, or kEmpty.
    uint32_t target;
  };
  static constexpr uint32_t kEmpty = UINT32_MAX;

  void close(std::vector<uint32_t>& states, std::vector<uint8_t>& seen) const;

  GrammarBudget& budget_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<CharSet> sets_;
};
