#include "functions/wrong_calls/wrong_calls.hpp"

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
