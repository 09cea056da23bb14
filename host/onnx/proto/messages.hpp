// The messages of onnx.proto and onnx-data.proto as of ONNX 1.22, as far as they say what a model
// computes. Types and members have ONNX's names. A member that is absent from a file has the value
// given here; where being absent has a meaning of its own, it is an optional or a box.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/proto/boxed.hpp"
#include "onnx/proto/shared_bytes.hpp"
#include "onnx/schema.hpp"

namespace switchyard::onnx {

struct StringStringEntryProto {
  std::string key;
  std::string value;
};

struct OperatorSetIdProto {
  std::string domain;
  std::int64_t version = 0;
};

// Members of a class that have initializers make it unfit for a std::optional of the class around
// it (clang), so such classes stand outside.

struct SegmentProto {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct TensorProto {
  enum DataLocation : std::int32_t { DEFAULT = 0, EXTERNAL = 1 };
  using Segment = SegmentProto;

  std::vector<std::int64_t> dims;
  std::int32_t data_type = 0;  // a DType's number
  std::optional<Segment> segment;
  std::vector<float> float_data;
  std::vector<std::int32_t> int32_data;
  std::vector<std::string> string_data;
  std::vector<std::int64_t> int64_data;
  std::string name;
  SharedBytes raw_data;
  std::vector<double> double_data;
  std::vector<std::uint64_t> uint64_data;
  std::vector<StringStringEntryProto> external_data;
  DataLocation data_location = DEFAULT;
};

struct SparseTensorProto {
  TensorProto values;
  TensorProto indices;
  std::vector<std::int64_t> dims;
};

struct TensorShapeProto {
  /// One of the two, or neither: an extent that is not known.
  struct Dimension {
    std::optional<std::int64_t> dim_value;
    std::optional<std::string> dim_param;
  };
  std::vector<Dimension> dim;
};

struct TypeProto;

struct TensorTypeProto {
  std::int32_t elem_type = 0;
  std::optional<TensorShapeProto> shape;
};

struct MapTypeProto {
  std::int32_t key_type = 0;
  Boxed<TypeProto> value_type;
};

struct SparseTensorTypeProto {
  std::int32_t elem_type = 0;
  std::optional<TensorShapeProto> shape;
};

/// At most one of the members is present.
struct TypeProto {
  using Tensor = TensorTypeProto;
  using Map = MapTypeProto;
  using SparseTensor = SparseTensorTypeProto;
  struct Sequence {
    Boxed<TypeProto> elem_type;
  };
  struct Optional {
    Boxed<TypeProto> elem_type;
  };
  struct Opaque {
    std::string domain;
    std::string name;
  };

  std::optional<Tensor> tensor_type;
  std::optional<Sequence> sequence_type;
  std::optional<Map> map_type;
  std::optional<Opaque> opaque_type;
  std::optional<SparseTensor> sparse_tensor_type;
  std::optional<Optional> optional_type;
};

struct ValueInfoProto {
  std::string name;
  std::optional<TypeProto> type;
};

struct AttributeProto {
  enum AttributeType : std::int32_t {
    UNDEFINED = 0,
    FLOAT = 1,
    INT = 2,
    STRING = 3,
    TENSOR = 4,
    GRAPH = 5,
    FLOATS = 6,
    INTS = 7,
    STRINGS = 8,
    TENSORS = 9,
    GRAPHS = 10,
    SPARSE_TENSOR = 11,
    SPARSE_TENSORS = 12,
    TYPE_PROTO = 13,
    TYPE_PROTOS = 14,
  };

  std::string name;
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string> s;
  Boxed<TensorProto> t;
  Boxed<GraphProto> g;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<std::string> strings;
  std::vector<TensorProto> tensors;
  std::vector<GraphProto> graphs;
  Boxed<TypeProto> tp;
  std::vector<TypeProto> type_protos;
  AttributeType type = UNDEFINED;
  std::string ref_attr_name;
  Boxed<SparseTensorProto> sparse_tensor;
  std::vector<SparseTensorProto> sparse_tensors;
};

struct NodeProto {
  std::vector<std::string> input;
  std::vector<std::string> output;
  std::string name;
  std::string op_type;
  std::vector<AttributeProto> attribute;
  std::string domain;
  std::string overload;
};

struct GraphProto {
  std::vector<NodeProto> node;
  std::string name;
  std::vector<TensorProto> initializer;
  std::vector<ValueInfoProto> input;
  std::vector<ValueInfoProto> output;
  std::vector<ValueInfoProto> value_info;
  std::vector<SparseTensorProto> sparse_initializer;
};

struct FunctionProto {
  std::string name;
  std::vector<std::string> input;
  std::vector<std::string> output;
  std::vector<std::string> attribute;
  std::vector<NodeProto> node;
  std::vector<OperatorSetIdProto> opset_import;
  std::string domain;
  std::vector<AttributeProto> attribute_proto;  // attributes that have default values
  std::string overload;
};

struct ModelProto {
  std::int64_t ir_version = 0;
  std::string producer_name;
  std::string producer_version;
  std::string domain;
  std::int64_t model_version = 0;
  std::string doc_string;
  std::optional<GraphProto> graph;
  std::vector<OperatorSetIdProto> opset_import;
  std::vector<StringStringEntryProto> metadata_props;
  std::vector<FunctionProto> functions;
};

/// What a sequence or an optional in a test data file holds.
enum class ElementKind : std::int32_t {
  undefined = 0,
  tensor = 1,
  sparse_tensor = 2,
  sequence = 3,
  map = 4,
  optional = 5,
};

/// Of those that hold tensors; what others hold is passed over.
struct SequenceProto {
  std::string name;
  ElementKind elem_type = ElementKind::undefined;
  std::vector<TensorProto> tensor_values;
};

struct OptionalProto {
  std::string name;
  ElementKind elem_type = ElementKind::undefined;
  std::optional<TensorProto> tensor_value;
  std::optional<SequenceProto> sequence_value;
};

}  // namespace switchyard::onnx
