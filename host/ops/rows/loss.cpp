// How far scores are from labels.
#include "ops/shapes/lines/loss.hpp"
#include "ops/rows/families.hpp"

namespace switchyard {

std::vector<Row> loss_rows() {
  return {{.op = "NegativeLogLikelihoodLoss",
           .version = 22,
           .signature = "input:T target:Tind weight:T? -> loss:T",
           .attributes = "ignore_index:int reduction:text(none|mean|sum)=mean",
           .types = "T=float Tind=int32|int64",
           .revisions = {{12}, {13, "T=float_ir3 Tind=int32|int64"}},
           .shape = loss_shape,
           .example = "f4x3x2 i4x2 p3 ignore_index=1",
           .autocast = AutocastTo::float32},
          {.op = "SoftmaxCrossEntropyLoss",
           .version = 13,
           .signature = "scores:T labels:Tind weights:T? -> output:T log_prob:T?",
           .attributes = "ignore_index:int reduction:text(none|mean|sum)=mean",
           .types = "T=float Tind=int32|int64",
           .revisions = {{12, "T=float_ir3 Tind=int32|int64"}},
           .shape = loss_shape,
           .example = "f4x3 m4 reduction=sum",
           .autocast = AutocastTo::float32}};
}

}  // namespace switchyard
