// TensorProtos: every field that may hold the elements, sparse forms, and what is refused.
#include "onnx/tensors/tensor_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"
#include "onnx/tensors/tensor_writer.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

onnx::TensorProto tensor_of(DType dtype, std::initializer_list<std::int64_t> shape) {
  onnx::TensorProto tensor;
  tensor.data_type = static_cast<int>(dtype);
  for (const std::int64_t extent : shape) tensor.dims.push_back(extent);
  return tensor;
}

Literal take(const onnx::TensorProto& tensor) {
  ExternalData external({});
  return read_tensor(tensor, external, "t");
}

template <typename Message>
std::string refusal_of(const Message& tensor) {
  ExternalData external({});
  DenseBudget budget{LimitsConfig()};
  try {
    if constexpr (std::is_same_v<Message, onnx::TensorProto>) {
      read_tensor(tensor, external, "t");
    } else {
      read_sparse_tensor(tensor, external, budget, "t");
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

constexpr DType kNumberTypes[] = {DType::float32,
                                  DType::uint8,
                                  DType::int8,
                                  DType::uint16,
                                  DType::int16,
                                  DType::int32,
                                  DType::int64,
                                  DType::bool_,
                                  DType::float16,
                                  DType::float64,
                                  DType::uint32,
                                  DType::uint64,
                                  DType::complex64,
                                  DType::complex128,
                                  DType::bfloat16,
                                  DType::float8e4m3fn,
                                  DType::float8e4m3fnuz,
                                  DType::float8e5m2,
                                  DType::float8e5m2fnuz,
                                  DType::uint4,
                                  DType::int4,
                                  DType::float4e2m1,
                                  DType::float8e8m0,
                                  DType::uint2,
                                  DType::int2};

// Three elements, their bytes 0, 1, 0, 1 and so on, which every type can hold.
Literal pattern(DType dtype) {
  Literal literal(dtype, {3});
  for (std::size_t i = 0; i < literal.size_bytes(); ++i) {
    literal.mutable_bytes()[i] = static_cast<std::byte>(i % 2);
  }
  return literal;
}

bool same(const Literal& a, const Literal& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::equal(a.bytes(), a.bytes() + a.size_bytes(), b.bytes());
}

template <typename T, typename Add>
void add_all(const Literal& literal, Add add) {
  const auto* values = reinterpret_cast<const T*>(literal.bytes());
  for (std::size_t i = 0; i < literal.size_bytes() / sizeof(T); ++i) add(values[i]);
}

// Puts the elements into the field that ONNX names for their type.
onnx::TensorProto typed(const Literal& literal) {
  onnx::TensorProto tensor = tensor_of(literal.dtype(), {3});
  const auto ints = [&](auto value) {
    tensor.int32_data.push_back(static_cast<std::int32_t>(value));
  };
  switch (literal.dtype()) {
    case DType::float32:
    case DType::complex64:
      add_all<float>(literal, [&](float v) { tensor.float_data.push_back(v); });
      break;
    case DType::float64:
    case DType::complex128:
      add_all<double>(literal, [&](double v) { tensor.double_data.push_back(v); });
      break;
    case DType::int64:
      add_all<std::int64_t>(literal, [&](std::int64_t v) { tensor.int64_data.push_back(v); });
      break;
    case DType::uint32:
      add_all<std::uint32_t>(literal, [&](std::uint32_t v) { tensor.uint64_data.push_back(v); });
      break;
    case DType::uint64:
      add_all<std::uint64_t>(literal, [&](std::uint64_t v) { tensor.uint64_data.push_back(v); });
      break;
    case DType::int32: add_all<std::int32_t>(literal, ints); break;
    case DType::int16: add_all<std::int16_t>(literal, ints); break;
    case DType::uint16:
    case DType::float16:
    case DType::bfloat16: add_all<std::uint16_t>(literal, ints); break;
    default: add_all<std::uint8_t>(literal, ints); break;
  }
  return tensor;
}

TEST(TensorReaderTest, ReadsEveryTypeFromItsOwnField) {
  for (const DType dtype : kNumberTypes) {
    const Literal expected = pattern(dtype);
    EXPECT_TRUE(same(take(typed(expected)), expected)) << name_of(dtype);
  }
}

TEST(TensorReaderTest, ReadsEveryTypeFromRawData) {
  for (const DType dtype : kNumberTypes) {
    const Literal expected = pattern(dtype);
    onnx::TensorProto tensor;
    fill_tensor(tensor, expected);
    EXPECT_FALSE(tensor.raw_data.empty());
    EXPECT_TRUE(same(take(tensor), expected)) << name_of(dtype);
  }
}

TEST(TensorReaderTest, DoesNotCopyRawDataThatHaveAnOwner) {
  onnx::TensorProto tensor = tensor_of(DType::float32, {256});
  tensor.raw_data = onnx::SharedBytes::of(std::string(1024, '\1'));
  const std::byte* bytes = tensor.raw_data.bytes.data();
  ExternalData external({});
  const Literal literal = read_tensor(tensor, external, "t");
  EXPECT_EQ(literal.bytes(), bytes);
  tensor.raw_data.owner = nullptr;
  EXPECT_NE(read_tensor(tensor, external, "t").bytes(), bytes);
}

TEST(TensorReaderTest, ReadsNegativeNumbersFromWideFields) {
  onnx::TensorProto tensor = tensor_of(DType::int8, {2});
  tensor.int32_data.push_back(-1);
  tensor.int32_data.push_back(-128);
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(-1, -128));
  tensor.int32_data[0] = 200;
  EXPECT_THAT(refusal_of(tensor), HasSubstr("the entry 200 of its int32_data does not fit int8"));
  tensor.data_type = static_cast<int>(DType::uint8);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("the entry -128"));
}

/// Two elements an entry; ONNX 1.16 wrote an entry whose highest bit is set as a negative number.
TEST(TensorReaderTest, ReadsPackedElementsWithASign) {
  onnx::TensorProto tensor = tensor_of(DType::int4, {4});
  tensor.int32_data = {0x53, -0x58};
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(3, 5, -8, -6));
  tensor.int32_data[1] = -129;
  EXPECT_THAT(refusal_of(tensor), HasSubstr("the entry -129"));
}

TEST(TensorReaderTest, ReadsTextEmptyTensorsAndScalars) {
  onnx::TensorProto text = tensor_of(DType::string, {2});
  text.string_data.push_back("a");
  text.string_data.push_back("");
  EXPECT_THAT(take(text).strings(), ElementsAre("a", ""));
  EXPECT_EQ(take(tensor_of(DType::float32, {0, 3})).size(), 0);
  onnx::TensorProto scalar = tensor_of(DType::float32, {});
  scalar.float_data.push_back(2);
  EXPECT_THAT(take(scalar).values<float>(), ElementsAre(2.0f));
}

TEST(TensorReaderTest, MakesEveryTruthOne) {
  onnx::TensorProto tensor = tensor_of(DType::bool_, {3});
  tensor.raw_data = onnx::SharedBytes::of(std::string("\2\0\1", 3));
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(1, 0, 1));
  tensor.raw_data = {};
  for (const int entry : {5, 0, 1}) tensor.int32_data.push_back(entry);
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(1, 0, 1));
}

TEST(TensorReaderTest, RefusesContentsThatDoNotFit) {
  onnx::TensorProto tensor = tensor_of(DType::float32, {2, 2});
  EXPECT_THAT(refusal_of(tensor),
              HasSubstr("t: float32 of shape [2,2] takes 4 entries, but its float_data holds 0"));
  tensor.raw_data = onnx::SharedBytes::of("abc");
  EXPECT_THAT(refusal_of(tensor), HasSubstr("takes 16 bytes, but it holds 3"));
  EXPECT_THAT(refusal_of(tensor_of(DType::string, {2})), HasSubstr("holds 0 texts"));
}

TEST(TensorReaderTest, RefusesShapesThatCannotBe) {
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {-1})), HasSubstr("negative extent -1"));
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {kHuge, kHuge})), HasSubstr("more elements"));
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {0, kHuge, kHuge})), HasSubstr("more elements"));
  onnx::TensorProto deep = tensor_of(DType::float32, {});
  for (int i = 0; i < 33; ++i) deep.dims.push_back(1);
  EXPECT_THAT(refusal_of(deep), HasSubstr("33 dimensions; at most 32"));
}

TEST(TensorReaderTest, RefusesTypesAndFormsThatItDoesNotKnow) {
  EXPECT_THAT(refusal_of(tensor_of(DType::undefined, {})), HasSubstr("type is missing"));
  EXPECT_THAT(refusal_of(tensor_of(static_cast<DType>(27), {})), HasSubstr("number 27"));
  onnx::TensorProto tensor = tensor_of(DType::float32, {0});
  tensor.segment.emplace();
  EXPECT_THAT(refusal_of(tensor), HasSubstr("segments"));
}

onnx::SparseTensorProto sparse() {
  onnx::SparseTensorProto tensor;
  for (const std::int64_t extent : {2, 3}) tensor.dims.push_back(extent);
  tensor.values = tensor_of(DType::float32, {2});
  tensor.values.float_data.push_back(5);
  tensor.values.float_data.push_back(6);
  tensor.indices = tensor_of(DType::int64, {2});
  tensor.indices.int64_data.push_back(1);
  tensor.indices.int64_data.push_back(5);
  return tensor;
}

TEST(TensorReaderTest, WritesOutTheZerosOfSparseTensors) {
  ExternalData external({});
  DenseBudget budget{LimitsConfig()};
  onnx::SparseTensorProto flat = sparse();
  EXPECT_THAT(read_sparse_tensor(flat, external, budget, "t").values<float>(),
              ElementsAre(0, 5, 0, 0, 0, 6));
  onnx::SparseTensorProto pairs = sparse();
  pairs.indices = tensor_of(DType::int64, {2, 2});
  for (const int index : {0, 1, 1, 2}) pairs.indices.int64_data.push_back(index);
  EXPECT_THAT(read_sparse_tensor(pairs, external, budget, "t").values<float>(),
              ElementsAre(0, 5, 0, 0, 0, 6));
}

TEST(TensorReaderTest, RefusesSparseTensorsThatCannotBe) {
  onnx::SparseTensorProto tensor = sparse();
  tensor.indices.int64_data[1] = 6;
  EXPECT_THAT(refusal_of(tensor), HasSubstr("index 6 lies outside [0,6)"));
  tensor = sparse();
  tensor.indices = tensor_of(DType::int64, {1, 2});
  for (const int index : {0, 1}) tensor.indices.int64_data.push_back(index);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("it must be [2] or [2,2]"));
  tensor = sparse();
  tensor.dims[0] = std::int64_t{1} << 44;
  EXPECT_THAT(refusal_of(tensor), HasSubstr("raise limits.value_bytes"));
}

TEST(TensorReaderTest, WritesOutNoMoreZerosThanTheLimitAllowsForAllTogether) {
  ExternalData external({});
  DenseBudget budget{LimitsConfig{.value_bytes = 30}};
  const onnx::SparseTensorProto tensor = sparse();
  EXPECT_NO_THROW(read_sparse_tensor(tensor, external, budget, "t"));
  EXPECT_THAT(error_of([&] { read_sparse_tensor(tensor, external, budget, "t"); }).what(),
              HasSubstr("takes 24 bytes, and 6 are left"));
}

TEST(TensorReaderTest, RefusesSparseIndicesThatDoNotAscend) {
  onnx::SparseTensorProto tensor = sparse();
  tensor.indices.int64_data[0] = 5;
  EXPECT_THAT(refusal_of(tensor), HasSubstr("element 5 and then element 5; they must ascend"));
  tensor = sparse();
  std::swap(tensor.indices.int64_data[0], tensor.indices.int64_data[1]);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("element 5 and then element 1; they must ascend"));
  tensor = sparse();
  tensor.indices = tensor_of(DType::int64, {2, 2});
  for (const int index : {1, 0, 0, 2}) tensor.indices.int64_data.push_back(index);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("element 3 and then element 2; they must ascend"));
}

TEST(TensorReaderTest, NamesTheSparseInitializerThatItRefuses) {
  onnx::ModelProto model = model_of("g () => (float[2,3] w) { }");
  model.graph->sparse_initializer.push_back(sparse());
  model.graph->sparse_initializer[0].values.name = "w";
  model.graph->sparse_initializer[0].indices.int64_data[0] = 5;
  EXPECT_THAT(refusal(model), HasSubstr("sparse initializer 'w'"));
}

TEST(TensorReaderTest, ReadsSparseInitializersAndConstants) {
  onnx::ModelProto model = model_of("g () => (float[2,3] w, float[2,3] c) { c = Constant () }");
  model.graph->sparse_initializer.push_back(sparse());
  model.graph->sparse_initializer[0].values.name = "w";
  onnx::AttributeProto& value = model.graph->node[0].attribute.emplace_back();
  value.name = "sparse_value";
  value.type = onnx::AttributeProto::SPARSE_TENSOR;
  value.sparse_tensor = sparse();
  const ModelFile file = read(model);
  for (const std::size_t i : {0, 1}) {
    EXPECT_THAT(output(file.graph, i).constant->values<float>(), ElementsAre(0, 5, 0, 0, 0, 6));
  }
}

}  // namespace
}  // namespace switchyard
