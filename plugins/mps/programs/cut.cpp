#include "programs/cut.hpp"

#include <algorithm>

#include "programs/attention.hpp"
#include "programs/chain.hpp"
#include "programs/precedence.hpp"

namespace mps {
namespace {

// Starts with a piece for each node and joins them. Pieces that are joined must stay free of
// cycles: nothing may have to come after the one and before the other.
class Cutter {
 public:
  Cutter(const Flow& flow, const std::vector<Abilities>& abilities)
      : flow_(flow), abilities_(abilities), precedence_(flow.live.size()) {
    piece_of_.resize(flow.nodes.size());
    attention_of_.resize(flow.nodes.size(), SY_ABSENT);
    for (const Attention& attention : attentions_of(flow)) {
      for (const uint32_t number : attention.nodes) attention_of_[number] = attention.nodes.front();
    }
    for (const uint32_t number : flow.live) add(number);
  }

  // Graphs as large as may be, also of nodes that do not read from each other. Then chains of what
  // no graph holds, or would hold with others of their kind alone.
  void join_all() {
    join_while([&](size_t a, size_t b) { return try_join_graphs(a, b); });
    join_while([&](size_t a, size_t b) { return try_join_chains(a, b); });
  }

  std::vector<Piece> finish() {
    std::vector<Piece> ordered;
    std::vector<bool> done(pieces_.size());
    for (size_t i = 0; i < pieces_.size(); ++i) emit(i, ordered, done);
    return ordered;
  }

 private:
  struct Joined {
    std::vector<uint32_t> nodes;
    bool graph;
    bool chain;
    bool attention = false;
  };

  template <typename Try>
  void join_while(Try try_join) {
    bool has_joined = true;
    while (has_joined) {
      has_joined = false;
      for (size_t a = 0; a < pieces_.size(); ++a) {
        for (size_t b = a + 1; b < pieces_.size(); ++b) {
          has_joined = try_join(a, b) || has_joined;
        }
      }
    }
  }

  // To the piece of a node that it reads from, if it may.
  void add(uint32_t number) {
    const size_t own = pieces_.size();
    const Abilities& able = abilities_[number];
    const bool attends = attention_of_[number] != SY_ABSENT;
    pieces_.push_back(
        {{number}, !attends && able.graph_row != nullptr, !attends && able.chain, attends});
    piece_of_[number] = own;
    const sy_node& node = flow_.nodes[number].raw();
    for (uint32_t i = 0; i < node.input_count; ++i) {
      if (node.inputs[i] == SY_ABSENT) continue;
      const uint32_t maker = flow_.maker[flow_.root(node.inputs[i])];
      if (maker != SY_ABSENT) precedence_.add(piece_of_[maker], own);
    }
    if (attends && attention_of_[number] != number) {
      // Nothing comes after an attention before its last node is there.
      join(piece_of_[attention_of_[number]], own, {{}, false, false, true});
    }
    for (size_t i = own; i-- > 0;) {
      if (precedence_.is_before(i, own) && try_join_graphs(i, own)) break;
    }
    if (!pieces_.back().nodes.empty()) return;
    pieces_.pop_back();
  }

  bool try_join_graphs(size_t a, size_t b) {
    if (!pieces_[a].graph || !pieces_[b].graph || !may_join(a, b)) return false;
    const bool chain = pieces_[a].chain && pieces_[b].chain && is_chain(a, b);
    join(a, b, {{}, true, chain});
    return true;
  }

  // Those that read from each other: others would only share the kernel.
  bool try_join_chains(size_t a, size_t b) {
    if (!pieces_[a].chain || !pieces_[b].chain || !may_join(a, b)) return false;
    const bool reads = precedence_.is_before(a, b) || precedence_.is_before(b, a);
    if (!reads || !is_chain(a, b)) return false;
    join(a, b, {{}, false, true});
    return true;
  }

  bool may_join(size_t a, size_t b) const {
    return !pieces_[a].nodes.empty() && !pieces_[b].nodes.empty() && !precedence_.has_between(a, b);
  }

  bool is_chain(size_t a, size_t b) const { return can_be_chain(flow_, joined_nodes(a, b)); }

  std::vector<uint32_t> joined_nodes(size_t a, size_t b) const {
    std::vector<uint32_t> nodes = pieces_[a].nodes;
    nodes.insert(nodes.end(), pieces_[b].nodes.begin(), pieces_[b].nodes.end());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  void join(size_t kept, size_t gone, Joined joined) {
    joined.nodes = joined_nodes(kept, gone);
    precedence_.join(kept, gone);
    for (const uint32_t number : pieces_[gone].nodes) piece_of_[number] = kept;
    pieces_[kept] = std::move(joined);
    pieces_[gone].nodes.clear();
  }

  // After all that comes before it.
  void emit(size_t i, std::vector<Piece>& ordered, std::vector<bool>& done) {
    if (done[i] || pieces_[i].nodes.empty()) return;
    done[i] = true;
    for (size_t other = 0; other < pieces_.size(); ++other) {
      if (precedence_.is_before(other, i)) emit(other, ordered, done);
    }
    const Piece::Kind kind = kind_of(pieces_[i]);
    ordered.push_back({kind, std::move(pieces_[i].nodes)});
  }

  // A node's own kernel reads tensors where they lie.
  Piece::Kind kind_of(const Joined& piece) const {
    if (piece.attention) return Piece::Kind::attention;
    const bool has_own = abilities_[piece.nodes.front()].row->make != nullptr;
    if (piece.nodes.size() == 1 && has_own) return Piece::Kind::node;
    if (piece.chain) return Piece::Kind::chain;
    return piece.graph ? Piece::Kind::graph : Piece::Kind::node;
  }

  const Flow& flow_;
  const std::vector<Abilities>& abilities_;
  Precedence precedence_;
  std::vector<Joined> pieces_;          // those without nodes have been joined to others
  std::vector<size_t> piece_of_;        // of each node
  std::vector<uint32_t> attention_of_;  // of each node the first one of its attention
};

}  // namespace

std::vector<Piece> cut(const Flow& flow, const std::vector<Abilities>& abilities) {
  Cutter cutter(flow, abilities);
  cutter.join_all();
  return cutter.finish();
}

}  // namespace mps
