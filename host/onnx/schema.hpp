// ONNX's protobuf messages by name, so that headers need not include them.
#pragma once

namespace onnx {

class AttributeProto;
class FunctionProto;
class GraphProto;
class ModelProto;
class NodeProto;
class SparseTensorProto;
class TensorProto;
class TypeProto;
class ValueInfoProto;

}  // namespace onnx
