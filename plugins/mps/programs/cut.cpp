#include "programs/cut.hpp"

#include <algorithm>

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
    for (const uint32_t number : flow.live) add(number);
  }

  // Graphs as large as may be, also of nodes that do not read from each other.
  void join_graphs() {
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
  };

  // To the piece of a node that it reads from, if it may.
  void add(uint32_t number) {
    const size_t own = pieces_.size();
    pieces_.push_back({{number}, abilities_[number].graph_row != nullptr});
    piece_of_[number] = own;
    const sy_node& node = flow_.nodes[number].raw();
    for (uint32_t i = 0; i < node.input_count; ++i) {
      if (node.inputs[i] == SY_ABSENT) continue;
      const uint32_t maker = flow_.maker[flow_.root(node.inputs[i])];
      if (maker != SY_ABSENT) precedence_.add(piece_of_[maker], own);
    }
    for (size_t i = own; i-- > 0;) {
      if (precedence_.is_before(i, own) && try_join(i, own)) break;
    }
    if (!pieces_.back().nodes.empty()) return;
    pieces_.pop_back();
  }

  bool try_join(size_t a, size_t b) {
    if (!pieces_[a].graph || !pieces_[b].graph) return false;
    if (pieces_[a].nodes.empty() || pieces_[b].nodes.empty()) return false;
    if (precedence_.has_between(a, b)) return false;
    precedence_.join(a, b);
    for (const uint32_t number : pieces_[b].nodes) {
      piece_of_[number] = a;
      pieces_[a].nodes.push_back(number);
    }
    pieces_[b].nodes.clear();
    return true;
  }

  // After all that comes before it.
  void emit(size_t i, std::vector<Piece>& ordered, std::vector<bool>& done) {
    if (done[i] || pieces_[i].nodes.empty()) return;
    done[i] = true;
    for (size_t other = 0; other < pieces_.size(); ++other) {
      if (precedence_.is_before(other, i)) emit(other, ordered, done);
    }
    Piece piece{kind_of(pieces_[i]), std::move(pieces_[i].nodes)};
    std::sort(piece.nodes.begin(), piece.nodes.end());
    ordered.push_back(std::move(piece));
  }

  // A node's own kernel reads tensors where they lie.
  Piece::Kind kind_of(const Joined& piece) const {
    const bool has_own = abilities_[piece.nodes.front()].row->make != nullptr;
    const bool alone = piece.nodes.size() == 1 && has_own;
    return piece.graph && !alone ? Piece::Kind::graph : Piece::Kind::node;
  }

  const Flow& flow_;
  const std::vector<Abilities>& abilities_;
  Precedence precedence_;
  std::vector<Joined> pieces_;    // those without nodes have been joined to others
  std::vector<size_t> piece_of_;  // of each node
};

}  // namespace

std::vector<Piece> cut(const Flow& flow, const std::vector<Abilities>& abilities) {
  Cutter cutter(flow, abilities);
  cutter.join_graphs();
  return cutter.finish();
}

}  // namespace mps
