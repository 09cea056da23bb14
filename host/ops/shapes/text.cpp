#include "ops/shapes/text.hpp"

#include <algorithm>

#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

void string_normalizer_shape(Inference& node) {
  require_rank(node, 0, {1, 2}, "[C] or [1, C]");
  if (!node.has_rank(0)) return;
  Dims most = node.shape(0);
  std::int64_t& words = most[most.size() - 1];
  if (words != kUnknown)
    words = std::max<std::int64_t>(words, 1);  // if none is left: one empty word
  node.set_bound(0, std::move(most));
}

void tf_idf_vectorizer_shape(Inference& node) {
  require_rank(node, 0, {1, 2}, "[C] or [N, C]");
  const auto indexes = node.attributes().get_ints("ngram_indexes");
  if (indexes.empty()) node.fail("ngram_indexes is empty");
  if (*std::min_element(indexes.begin(), indexes.end()) < 0)
    node.fail("ngram_indexes are negative");
  const std::int64_t extent = add_extents(*std::max_element(indexes.begin(), indexes.end()), 1);
  if (!node.has_rank(0)) return;
  node.set_shape(0, node.rank(0) == 1 ? Dims{extent} : Dims{node.shape(0)[0], extent});
}

void string_split_shape(Inference& node) {
  if (!node.has_rank(0)) return;
  Dims pieces = node.shape(0);
  pieces.push_back(kUnknown);
  node.set_shape(0, std::move(pieces));
  node.set_shape(1, node.shape(0));
}

}  // namespace switchyard
