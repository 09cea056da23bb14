// ONNX's messages by name; onnx/proto/messages.hpp has what is in them.
#pragma once

namespace switchyard::onnx {

struct AttributeProto;
struct FunctionProto;
struct GraphProto;
struct ModelProto;
struct NodeProto;
struct SparseTensorProto;
struct TensorProto;
struct TypeProto;
struct ValueInfoProto;

}  // namespace switchyard::onnx
