#include "functions/wrong_calls/wrong_calls.hpp"

namespace switchyard {

Calls wrong_calls_of_losses() {
  const Tensor classes = tensor({0, 1, 2, 0});
  return {
      {"cross_entropy", [=] { cross_entropy(floats(), classes); }},
      {"cross_entropy", [=] { cross_entropy(none(), classes); }},
      {"cross_entropy", [=] { cross_entropy(others(), full({4}, 7)).item(); }},
      {"cross_entropy", [=] { cross_entropy(others(), classes, {.weight = ones({7})}); }},
      {"nll_loss", [=] { nll_loss(floats(), classes); }},
      {"nll_loss", [=] { nll_loss(floats(), none()); }},
      {"binary_cross_entropy_with_logits",
       [] { binary_cross_entropy_with_logits(floats(), others()); }},
      {"binary_cross_entropy", [] { binary_cross_entropy(floats(), none()); }},
      {"mse_loss", [] { mse_loss(floats(), others()); }},
      {"mse_loss", [] { mse_loss(integers(), integers()); }},
      {"l1_loss", [] { l1_loss(none(), floats()); }},
      {"huber_loss", [] { huber_loss(floats(), others()); }},
      {"smooth_l1_loss", [] { smooth_l1_loss(floats(), floats(), -1); }},
      {"kl_div", [] { kl_div(floats(), others()); }},
      {"margin_ranking_loss", [] { margin_ranking_loss(floats(), others(), floats()); }},
      {"cosine_embedding_loss", [] { cosine_embedding_loss(floats(), others(), ones({2})); }},
      {"triplet_margin_loss", [] { triplet_margin_loss(floats(), others(), floats()); }},
      {"pairwise_distance", [] { pairwise_distance(floats(), others()); }},
      {"pairwise_distance", [] { pairwise_distance(floats(), none()); }},
      {"ctc_loss",
       [=] {
         ctc_loss(ones({5, 4}), classes, tensor(5), tensor(4));
       }},
      {"ctc_loss", [] { ctc_loss(none(), positions(), tensor(5), tensor(2)); }},
      {"ctc_loss", [] { ctc_loss(floats(), none(), tensor(2), tensor(2)); }},
      {"ctc_loss", [] { ctc_loss(floats(), ones({1}), tensor(2), tensor(1)); }},
      {"ctc_loss", [] { ctc_loss(floats(), tensor({1}), tensor(3), tensor(1)); }},
      {"ctc_loss", [] { ctc_loss(floats(), tensor({1}), tensor(2), tensor(2)); }},
      {"ctc_loss", [] { ctc_loss(floats(), tensor({3}), tensor(2), tensor(1)); }},
      {"ctc_loss", [] { ctc_loss(floats(), tensor({1}), tensor(2), tensor(1), {.blank = 3}); }},
      {"cdist", [] { cdist(floats(), none()); }},
      {"cdist", [] { cdist(none(), floats()); }},
      {"cdist", [] { cdist(floats(), ones({3})); }},
      {"cdist",
       [] {
         cdist(floats(), ones({2, 4}));
       }},
      {"cdist", [] { cdist(integers(), integers()); }},
      {"cdist", [] { cdist(floats(), floats(), -1); }},
      {"cdist",
       [] {
         cdist(ones({2, 4, 3}), ones({3, 4, 3}));
       }},
  };
}

}  // namespace switchyard
