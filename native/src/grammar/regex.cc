#include "grammar/regex.h"

#include "base/coded_error.h"
#include "grammar/regex_syntax.h"

namespace {

// Compiles from the end: each node receives the state at which its continuation starts and returns its own first state.
// A look-ahead therefore knows its continuation and becomes an intersection.
class Compiler {
 public:
  explicit Compiler(GrammarBudget& budget) : budget_(budget), nfa_(budget) {
    accept_ = nfa_.add_state();
    rest_ = nfa_.add_state();
    const uint32_t loop = nfa_.add_state();
    nfa_.add_empty_step(rest_, accept_);
    nfa_.add_empty_step(rest_, loop);
    nfa_.add_step(loop, CharSet::all(), loop);
    nfa_.add_step(loop, CharSet{{kTextEnd, kTextEnd}}, accept_);
  }

  CharDfa compile(const RegexNode& pattern) {
    const uint32_t first = compile(pattern, rest_);
    const uint32_t start = nfa_.add_state(), skip = nfa_.add_state();
    nfa_.add_empty_step(start, first);
    nfa_.add_step(start, CharSet{{kTextStart, kTextStart}}, skip);
    nfa_.add_step(skip, CharSet::all(), skip);
    nfa_.add_empty_step(skip, first);
    return nfa_.determinize(start, accept_).between_marks();
  }

 private:
  uint32_t compile(const RegexNode& node, uint32_t next) {
    switch (node.kind) {
      case RegexNode::Kind::kSet: {
        const uint32_t state = nfa_.add_state();
        nfa_.add_step(state, node.set, next);
        return state;
      }
      case RegexNode::Kind::kSequence:
        for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) next = compile(*child, next);
        return next;
      case RegexNode::Kind::kChoice: {
        const uint32_t state = nfa_.add_state();
        for (const RegexNode& child : node.children) nfa_.add_empty_step(state, compile(child, next));
        return state;
      }
      case RegexNode::Kind::kRepeat: return compile_repeat(node, next);
      case RegexNode::Kind::kAhead:
      case RegexNode::Kind::kNotAhead: return compile_look_ahead(node, next);
    }
    return next;
  }

  uint32_t compile_repeat(const RegexNode& node, uint32_t next) {
    const RegexNode& body = node.children.front();
    uint32_t state = next;
    if (node.max == kUnboundedRepeat) {
      ++loops_;
      state = nfa_.add_state();
      nfa_.add_empty_step(state, next);
      nfa_.add_empty_step(state, compile(body, state));
      --loops_;
    } else {
      for (uint32_t count = node.min; count < node.max; ++count) {
        const uint32_t optional = nfa_.add_state();
        nfa_.add_empty_step(optional, next);
        nfa_.add_empty_step(optional, compile(body, state));
        state = optional;
      }
    }
    for (uint32_t count = 0; count < node.min; ++count) state = compile(body, state);
    return state;
  }

  uint32_t compile_look_ahead(const RegexNode& node, uint32_t next) {
    if (loops_ > 0) {
      throw CodedError("ERR_GRAMMAR_INVALID",
                       "look-ahead inside an unbounded repetition of a pattern is not supported");
    }
    CharDfa seen = nfa_.determinize(compile(node.children.front(), rest_), accept_);
    if (node.kind == RegexNode::Kind::kNotAhead) seen = seen.complement(budget_);
    return nfa_.add(nfa_.determinize(next, accept_).intersect(seen, budget_), accept_);
  }

  GrammarBudget& budget_;
  CharNfa nfa_;
  uint32_t accept_, rest_;
  int loops_ = 0;
};

}  // namespace

CharDfa regex_language(std::string_view pattern, GrammarBudget& budget) {
  return Compiler(budget).compile(parse_regex(pattern));
}

std::string regex_literal(std::string_view text) {
  std::string pattern;
  for (const char character : text) {
    if (std::string_view("^$\\.*+?()[]{}|/").find(character) != std::string_view::npos) pattern += '\\';
    pattern += character;
  }
  return pattern;
}
