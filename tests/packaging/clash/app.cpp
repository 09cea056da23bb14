// A program with ONNX classes of its own that loads a model by Switchyard.
#include <cstdio>
#include <switchyard/switchyard.hpp>

#include "onnx.pb.h"

int main(int, char** arguments) {
  onnx::NodeProto node;
  node.set_op_type("Relu");
  node.add_input("x");
  onnx::NodeProto copy;
  if (!copy.ParseFromString(node.SerializeAsString()) || copy.input(0) != "x") return 1;
  const auto runtime = switchyard::Runtime::from_file(arguments[1]);
  const auto model = switchyard::Model::load(runtime, arguments[2]);
  std::printf("%zu input, %zu nodes\n", model.inputs().size(), model.explain().size());
}
