// Walks through answers that a schema allows and compares every mask with the verdict of a plain Earley recogniser on each token.
// Standard input holds lines: `token <hex>`, `control <hex>`, then `schema <seed> <tokens> <JSON>`, or `time <beginning of an
// answer, as hex> <JSON>`; a line is written per schema: `refused`, or numbers with their names.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/coded_error.h"
#include "grammar/schema_rules.h"
#include "grammar/token_masks.h"

namespace {

// A row per byte; an item is a state, the row in which its rule was entered, the rule, and a count.
class PlainRecogniser {
 public:
  PlainRecogniser(std::shared_ptr<const GrammarRules> rules, uint32_t root) : rules_(std::move(rules)), root_(root) {
    rows_.emplace_back();
    add(Item{rules_->rule(root).start, 0, root, 0});
    close();
  }

  bool push(uint8_t byte) {
    const std::vector<Item> last = rows_.back().items;
    rows_.emplace_back();
    for (const Item& item : last) {
      each_edge(item, [&](const GrammarRules::Edge& edge) {
        if (edge.kind == GrammarRules::Kind::kBytes && edge.low <= byte && byte <= edge.high) follow(item, edge);
      });
    }
    if (rows_.back().items.empty()) {
      rows_.pop_back();
      return false;
    }
    close();
    return true;
  }
  void pop(size_t count) { rows_.resize(rows_.size() - count); }
  bool reads(std::string_view text) {
    size_t read = 0;
    while (read < text.size() && push(static_cast<uint8_t>(text[read]))) ++read;
    pop(read);
    return read == text.size();
  }
  bool finished() const {
    return std::ranges::any_of(rows_.back().items, [&](const Item& item) {
      const auto& [state, origin, rule, count] = item;
      return rule == root_ && origin == 0 && rules_->state(state).accepting;
    });
  }

 private:
  using Item = std::tuple<uint32_t, size_t, uint32_t, uint32_t>;
  struct Row {
    std::vector<Item> items;
    std::set<Item> known;
  };

  void each_edge(const Item& item, const auto& visit) const {
    const GrammarRules::State& state = rules_->state(std::get<0>(item));
    for (uint32_t index = 0; index < state.edge_count; ++index) visit(rules_->edges(state)[index]);
  }
  void add(const Item& item) {
    if (rows_.back().known.insert(item).second) rows_.back().items.push_back(item);
  }
  void follow(Item item, const GrammarRules::Edge& edge) {
    auto& [state, origin, rule, count] = item;
    if (count < edge.guard.least || (edge.guard.counts && count >= edge.guard.below)) return;
    count += edge.guard.counts ? 1 : 0;
    state = edge.target;
    add(item);
  }
  void close() {
    const size_t current = rows_.size() - 1;
    for (size_t at = 0; at < rows_.back().items.size(); ++at) {
      const Item item = rows_.back().items[at];
      const auto [state, origin, rule, count] = item;
      if (rules_->state(state).accepting && origin != current) {
        for (const Item& caller : std::vector<Item>(rows_[origin].items)) {
          each_edge(caller, [&, called = rule](const GrammarRules::Edge& edge) {
            if (edge.kind == GrammarRules::Kind::kCall && edge.rule == called) follow(caller, edge);
          });
        }
      }
      each_edge(item, [&, from = origin, caller = rule](const GrammarRules::Edge& edge) {
        if (edge.kind == GrammarRules::Kind::kEmpty) follow(item, edge);
        if (edge.kind == GrammarRules::Kind::kTailCall) add(Item{edge.target, from, caller, 0});
        if (edge.kind != GrammarRules::Kind::kCall) return;
        add(Item{rules_->rule(edge.rule).start, current, edge.rule, 0});
        if (rules_->rule(edge.rule).nullable) follow(item, edge);
      });
    }
  }

  std::shared_ptr<const GrammarRules> rules_;
  uint32_t root_;
  std::vector<Row> rows_;
};

struct Findings {
  size_t masks = 0, allowed = 0, wrong = 0, bytes = 0;
  uint64_t collected = 0, work = 0, repeated_work = 0;
};

class Walk {
 public:
  Walk(const std::shared_ptr<const TokenTable>& tokens, std::shared_ptr<const GrammarRules> rules, uint32_t root,
       uint64_t seed)
      : tokens_(tokens), masks_(tokens), state_(rules, root), plain_(rules, root), random_(seed) {}

  Findings run(size_t length) {
    for (size_t count = 0; count < length; ++count) {
      const std::vector<int32_t> allowed = compare(found_.work);
      if (allowed.empty()) break;
      // Asks for the same state again, and for one whose rows were all renamed.
      if (below(4) == 0) compare(found_.repeated_work);
      if (below(100) == 0) state_.rows().collect({state_.path()}), ++explicit_;
      for (const char byte : tokens_->bytes(pick(allowed))) {
        found_.wrong += state_.push(static_cast<uint8_t>(byte)) ? 0 : 1;
        plain_.push(static_cast<uint8_t>(byte));
      }
      state_.commit();
    }
    found_.collected = state_.rows().generation() - explicit_;
    return found_;
  }

 private:
  std::vector<int32_t> compare(uint64_t& work) {
    const uint64_t before = state_.rows().work();
    const TokenSet& mask = masks_.allowed(state_);
    work = std::max(work, state_.rows().work() - before);
    ++found_.masks;
    std::vector<int32_t> allowed;
    for (int32_t token = 0; token < static_cast<int32_t>(tokens_->size()); ++token) {
      const std::string_view bytes = tokens_->bytes(token);
      const bool reads = !bytes.empty() && !tokens_->is_control(token) && plain_.reads(bytes);
      if (reads) allowed.push_back(token);
      found_.wrong += reads == has_token(mask, token) ? 0 : 1;
    }
    found_.allowed += allowed.size();
    found_.wrong += state_.finished() == plain_.finished() ? 0 : 1;
    found_.bytes = std::max(found_.bytes, state_.rows().stored_bytes());
    return allowed;
  }

  // Rather a token that neither ends the answer nor holds a quote, so that walks are long.
  int32_t pick(const std::vector<int32_t>& allowed) {
    int32_t token = allowed[below(allowed.size())];
    for (int attempt = 0; attempt < 6 && ends_something(tokens_->bytes(token)); ++attempt) {
      token = allowed[below(allowed.size())];
    }
    return token;
  }
  bool ends_something(std::string_view bytes) {
    if (bytes.find('"') != std::string_view::npos) return true;
    for (const char byte : bytes) plain_.push(static_cast<uint8_t>(byte));
    const bool finished = plain_.finished();
    plain_.pop(bytes.size());
    return finished;
  }

  size_t below(size_t count) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>((random_ >> 33) % count);
  }

  std::shared_ptr<const TokenTable> tokens_;
  TokenMasks masks_;
  GrammarState state_;
  PlainRecogniser plain_;
  uint64_t random_;
  uint64_t explicit_ = 0;
  Findings found_;
};

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

void add_spelling(VocabularyTable& vocabulary, const std::string& hex, bool control) {
  for (const char byte : from_hex(hex)) vocabulary.bytes.push_back(static_cast<uint8_t>(byte));
  vocabulary.offsets.push_back(static_cast<uint32_t>(vocabulary.bytes.size()));
  vocabulary.control.push_back(control);
}

struct CompiledSchema {
  std::shared_ptr<const GrammarRules> rules;
  uint32_t root;
};

CompiledSchema compile(const std::string& schema) {
  GrammarBudget budget;
  GrammarBuilder builder(budget);
  SchemaRules schemas(builder);
  SchemaDocument& document = schemas.add_document(schema);
  const uint32_t root = schemas.rule_of(document, Conjunction{&document.root()});
  schemas.complete();
  return {builder.finish({root}), root};
}

void walk(const std::shared_ptr<const TokenTable>& tokens, uint64_t seed, size_t length, const std::string& schema) {
  try {
    const auto [rules, root] = compile(schema);
    const Findings found = Walk(tokens, rules, root, seed).run(length);
    std::cout << "masks " << found.masks << " allowed " << found.allowed << " wrong " << found.wrong << " bytes "
              << found.bytes << " collected " << found.collected << " work " << found.work << " repeated "
              << found.repeated_work << "\n";
  } catch (const CodedError& error) {
    std::cout << (error.code() == std::string_view("ERR_GRAMMAR_INVALID") ? "refused" : "too complex") << "\n";
  }
}

// Times the mask after the beginning of an answer, once its rows are known.
void time_mask(const std::shared_ptr<const TokenTable>& tokens, const std::string& beginning,
               const std::string& schema) {
  const auto [rules, root] = compile(schema);
  GrammarState state(rules, root);
  for (const char byte : beginning) state.push(static_cast<uint8_t>(byte));
  state.commit();
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 9; ++run) {
    TokenMasks masks(tokens);
    const auto start = std::chrono::steady_clock::now();
    masks.allowed(state);
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  std::cout << "microseconds " << least << "\n";
}

}  // namespace

int main() {
  VocabularyTable vocabulary;
  vocabulary.offsets.push_back(0);
  std::shared_ptr<const TokenTable> tokens;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string kind, text;
    words >> kind;
    if (kind == "token" || kind == "control") {
      words >> text;
      add_spelling(vocabulary, text, kind == "control");
      continue;
    }
    if (!tokens) tokens = std::make_shared<const TokenTable>(vocabulary);
    if (kind == "time") {
      words >> text;
      const std::string beginning = from_hex(text);
      std::getline(words >> std::ws, text);
      time_mask(tokens, beginning, text);
      continue;
    }
    uint64_t seed = 0;
    size_t length = 0;
    words >> seed >> length;
    std::getline(words >> std::ws, text);
    walk(tokens, seed, length, text);
  }
}
