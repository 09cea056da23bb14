#include "functions/wrong_calls/wrong_calls.hpp"

#include <cmath>
#include <cstdint>

namespace switchyard {

Calls wrong_calls_of_indexing() {
  return {
      {"index_select", [] { index_select(floats(), 0, floats()); }},
      {"index_select", [] { index_select(floats(), 0, none()); }},
      {"index_select", [] { index_select(floats(), 0, tensor({7})).to_vector<float>(); }},
      {"gather",
       [] {
         gather(floats(), 0, tensor({{5, 0}})).to_vector<float>();
       }},
      {"gather", [] { gather(floats(), 0, none()); }},
      {"scatter",
       [] {
         scatter(floats(), 0, tensor({{0, 0, 0}}), none());
       }},
      {"scatter_add", [] { scatter_add(floats(), 0, floats(), floats()); }},
      {"index_add", [] { index_add(floats(), 0, tensor({0}), others()); }},
      {"take_along_dim", [] { take_along_dim(floats(), floats(), 0); }},
      {"take_along_dim", [] { take_along_dim(floats(), none()); }},
      {"take_along_dim", [] { take_along_dim(floats(), positions(), 0); }},
      {"take_along_dim", [] { take_along_dim(floats(), tensor({6})).to_vector<float>(); }},
      {"scatter_reduce",
       [] { scatter_reduce(floats(), 0, floats(), floats(), ScatterReduction::sum); }},
      {"scatter_reduce",
       [] { scatter_reduce(floats(), 0, none(), floats(), ScatterReduction::mean); }},
      {"scatter_reduce",
       [] { scatter_reduce(floats(), 0, tensor({{0}}), none(), ScatterReduction::prod); }},
      {"scatter_reduce",
       [] {
         scatter_reduce(floats(), 0, tensor({{7}}), floats(), ScatterReduction::amin, false)
             .to_vector<float>();
       }},
      {"searchsorted",
       [] {
         searchsorted(floats(), ones({3, 3}));
       }},
      {"searchsorted", [] { searchsorted(none(), floats()); }},
      {"searchsorted", [] { searchsorted(ones({3}), none()); }},
      {"searchsorted", [] { searchsorted(full({}, 1), floats()); }},
      {"searchsorted", [] { searchsorted(ones({3}), floats(), {.sorter = positions()}); }},
      {"searchsorted",
       [] {
         searchsorted(ones({2}), floats(), {.sorter = tensor({0, 5})}).to_vector<std::int64_t>();
       }},
      {"bucketize", [] { bucketize(floats(), floats()); }},
      {"bucketize", [] { bucketize(none(), ones({3})); }},
      {"bucketize", [] { bucketize(floats(), none()); }},
      {"isin", [] { isin(none(), floats()); }},
      {"isin", [] { isin(floats(), none()); }},
      {"unique", [] { unique(none()); }},
      {"unique_consecutive", [] { unique_consecutive(none()); }},
      {"bincount", [] { bincount(none()); }},
      {"bincount", [] { bincount(integers()); }},
      {"bincount", [] { bincount(ones({3})); }},
      {"bincount",
       [] {
         bincount(tensor({1, -1}));
       }},
      {"bincount", [] { bincount(tensor({INT64_MAX})); }},
      {"bincount", [] { bincount(positions(), ones({3})); }},
      {"bincount", [] { bincount(positions(), {}, -1); }},
      {"histc", [] { histc(none()); }},
      {"histc", [] { histc(integers()); }},
      {"histc", [] { histc(floats(), 0); }},
      {"histc", [] { histc(floats(), 3, 2, 1); }},
      {"histc", [] { histc(floats(), 3, -INFINITY, 1); }},
      {"histc", [] { histc(full({2}, INFINITY)); }},
      {"masked_select", [] { masked_select(floats(), others()); }},
      {"masked_select", [] { masked_select(floats(), none()); }},
      {"embedding", [] { embedding(floats(), floats()); }},
      {"embedding", [] { embedding(positions(), none()); }},
      {"embedding", [] { embedding(tensor({9}), floats()).to_vector<float>(); }},
      {"one_hot", [] { one_hot(floats(), 3); }},
      {"one_hot", [] { one_hot(tensor({5}), 3); }},
      {"one_hot", [] { one_hot(none(), 3); }},
      {"one_hot", [] { one_hot(tensor({INT64_MAX}), -1); }},
      {"index", [] { Tensor(floats()[{tensor({INT64_MAX}).select(0, 0)}]); }},
      {"topk", [] { topk(floats(), 9); }},
      {"index",
       [] {
         Tensor(floats()[{0, 0, 0}]);
       }},
      {"index", [] { Tensor(floats()[{5}]); }},
      {"index", [] { Tensor(floats()[{ones({2})}]); }},
      {"index_put_", [] { floats().index_put_({0}, others()); }},
      {"embedding_bag", [] { embedding_bag(positions(), floats()); }},
      {"embedding_bag", [] { embedding_bag(none(), floats()); }},
      {"embedding_bag",
       [] {
         embedding_bag(tensor({{0, 1}}), none());
       }},
      {"embedding_bag", [] { embedding_bag(positions(), floats(), tensor({1})); }},
      {"embedding_bag",
       [] {
         embedding_bag(positions(), floats(), tensor({0, 3}));
       }},
      {"embedding_bag", [] { embedding_bag(positions(), floats(), ones({1})); }},
      {"embedding_bag",
       [] {
         embedding_bag(tensor({{0, 1}}), floats(), tensor({0}));
       }},
      {"embedding_bag",
       [] {
         embedding_bag(tensor({{0, 1}}), floats(), {}, ones({1, 2}));
       }},
      {"embedding_bag",
       [] {
         embedding_bag(tensor({{0, 1}}), floats(), {}, ones({2}), {.mode = EmbeddingBagMode::sum});
       }},
      {"embedding_bag",
       [] {
         embedding_bag(tensor({{0, 9}}), floats()).to_vector<float>();
       }},
  };
}

}  // namespace switchyard
