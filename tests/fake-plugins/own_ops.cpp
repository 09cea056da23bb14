#include "own_ops.hpp"

#include "behaviour.hpp"
#include "kernel.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/program.hpp"

namespace fake {
namespace {

sy_status infer_shapes(sy_infer_shapes_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const sy::Node node(*args->program, 0);
    const sy_value& x = node.required_input(0);
    const sy_value& y = node.required_input(1);
    if (x.rank != y.rank) throw sy::invalid("the fake sums tensors of one rank");
    args->set_shape(args->context, 0, x.rank, x.shape);
  });
}

sy_op sum() {
  sy_op op = {};
  op.struct_size = sizeof(op);
  op.version = 1;
  op.domain = behaviour.own_ops == OwnOps::of_onnx ? "" : kOwnDomain;
  op.name = "Sum";
  op.signature = behaviour.own_ops == OwnOps::otherwise ? "a:T b:T -> c:T" : "x:T y:T -> z:T";
  op.attributes = "";
  op.types = "T=float32";
  op.body = behaviour.own_ops == OwnOps::otherwise ? "c = Add (a, b)" : "z = Add (x, y)";
  op.summary = "a sum";
  op.infer_shapes = infer_shapes;
  return op;
}

}  // namespace

const sy_extension* own_ops() {
  static const sy_op op = sum();
  static const sy_op_list list = {{sizeof(sy_op_list), SY_EXTENSION_OPS, nullptr}, &op, 1, 0};
  return &list.link;
}

}  // namespace fake
