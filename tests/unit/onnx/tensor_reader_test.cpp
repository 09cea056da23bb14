// TensorProtos: every field that may hold the elements, sparse forms, and what is refused.
#include "onnx/tensor_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"
#include "onnx/tensor_writer.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

onnx::TensorProto tensor_of(DType dtype, std::initializer_list<std::int64_t> shape) {
  onnx::TensorProto tensor;
  tensor.set_data_type(static_cast<int>(dtype));
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  return tensor;
}

Literal take(onnx::TensorProto tensor) {
  ExternalData external({});
  return take_tensor(tensor, external, "t");
}

template <typename Message>
std::string refusal_of(Message tensor) {
  ExternalData external({});
  try {
    if constexpr (std::is_same_v<Message, onnx::TensorProto>) {
      take_tensor(tensor, external, "t");
    } else {
      take_sparse_tensor(tensor, external, "t");
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

constexpr DType kNumbers[] = {DType::float32,        DType::uint8,          DType::int8,
                              DType::uint16,         DType::int16,          DType::int32,
                              DType::int64,          DType::bool_,          DType::float16,
                              DType::float64,        DType::uint32,         DType::uint64,
                              DType::complex64,      DType::complex128,     DType::bfloat16,
                              DType::float8e4m3fn,   DType::float8e4m3fnuz, DType::float8e5m2,
                              DType::float8e5m2fnuz, DType::uint4,          DType::int4};

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
  const auto ints = [&](auto value) { tensor.add_int32_data(static_cast<std::int32_t>(value)); };
  switch (literal.dtype()) {
    case DType::float32:
    case DType::complex64:
      add_all<float>(literal, [&](float v) { tensor.add_float_data(v); });
      break;
    case DType::float64:
    case DType::complex128:
      add_all<double>(literal, [&](double v) { tensor.add_double_data(v); });
      break;
    case DType::int64:
      add_all<std::int64_t>(literal, [&](std::int64_t v) { tensor.add_int64_data(v); });
      break;
    case DType::uint32:
      add_all<std::uint32_t>(literal, [&](std::uint32_t v) { tensor.add_uint64_data(v); });
      break;
    case DType::uint64:
      add_all<std::uint64_t>(literal, [&](std::uint64_t v) { tensor.add_uint64_data(v); });
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
  for (const DType dtype : kNumbers) {
    const Literal expected = pattern(dtype);
    EXPECT_TRUE(same(take(typed(expected)), expected)) << name_of(dtype);
  }
}

TEST(TensorReaderTest, ReadsEveryTypeFromRawData) {
  for (const DType dtype : kNumbers) {
    const Literal expected = pattern(dtype);
    onnx::TensorProto tensor;
    fill_tensor(tensor, expected);
    EXPECT_TRUE(tensor.has_raw_data());
    EXPECT_TRUE(same(take(tensor), expected)) << name_of(dtype);
  }
}

TEST(TensorReaderTest, DoesNotCopyRawData) {
  onnx::TensorProto tensor = tensor_of(DType::float32, {256});
  tensor.set_raw_data(std::string(1024, '\1'));
  const void* bytes = tensor.raw_data().data();
  ExternalData external({});
  const Literal literal = take_tensor(tensor, external, "t");
  EXPECT_EQ(static_cast<const void*>(literal.bytes()), bytes);
}

TEST(TensorReaderTest, ReadsNegativeNumbersFromWideFields) {
  onnx::TensorProto tensor = tensor_of(DType::int8, {2});
  tensor.add_int32_data(-1);
  tensor.add_int32_data(-128);
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(-1, -128));
  tensor.set_int32_data(0, 200);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("the entry 200 of its int32_data is no int8"));
  tensor.set_data_type(static_cast<int>(DType::uint8));
  EXPECT_THAT(refusal_of(tensor), HasSubstr("the entry -128"));
}

TEST(TensorReaderTest, ReadsTextEmptyTensorsAndScalars) {
  onnx::TensorProto text = tensor_of(DType::string, {2});
  text.add_string_data("a");
  text.add_string_data("");
  EXPECT_THAT(take(text).strings(), ElementsAre("a", ""));
  EXPECT_EQ(take(tensor_of(DType::float32, {0, 3})).size(), 0);
  onnx::TensorProto scalar = tensor_of(DType::float32, {});
  scalar.add_float_data(2);
  EXPECT_THAT(take(scalar).values<float>(), ElementsAre(2.0f));
}

TEST(TensorReaderTest, MakesEveryTruthOne) {
  onnx::TensorProto tensor = tensor_of(DType::bool_, {3});
  tensor.set_raw_data(std::string("\2\0\1", 3));
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(1, 0, 1));
  tensor.clear_raw_data();
  for (const int entry : {5, 0, 1}) tensor.add_int32_data(entry);
  EXPECT_THAT(take(tensor).to_int64s(), ElementsAre(1, 0, 1));
}

TEST(TensorReaderTest, RefusesContentsThatDoNotFit) {
  onnx::TensorProto tensor = tensor_of(DType::float32, {2, 2});
  EXPECT_THAT(refusal_of(tensor),
              HasSubstr("t: float32 of shape [2,2] takes 4 entries, but its float_data holds 0"));
  tensor.set_raw_data("abc");
  EXPECT_THAT(refusal_of(tensor), HasSubstr("takes 16 bytes, but it holds 3"));
  EXPECT_THAT(refusal_of(tensor_of(DType::string, {2})), HasSubstr("holds 0 texts"));
}

TEST(TensorReaderTest, RefusesShapesThatCannotBe) {
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {-1})), HasSubstr("negative extent -1"));
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {kHuge, kHuge})), HasSubstr("more elements"));
  EXPECT_THAT(refusal_of(tensor_of(DType::float32, {0, kHuge, kHuge})), HasSubstr("more elements"));
  onnx::TensorProto deep = tensor_of(DType::float32, {});
  for (int i = 0; i < 33; ++i) deep.add_dims(1);
  EXPECT_THAT(refusal_of(deep), HasSubstr("33 dimensions; at most 32"));
}

TEST(TensorReaderTest, RefusesTypesAndFieldsThatItDoesNotKnow) {
  EXPECT_THAT(refusal_of(tensor_of(DType::undefined, {})), HasSubstr("type is missing"));
  EXPECT_THAT(refusal_of(tensor_of(static_cast<DType>(23), {})), HasSubstr("number 23"));
  onnx::TensorProto tensor = tensor_of(DType::float32, {0});
  tensor.mutable_segment();
  EXPECT_THAT(refusal_of(tensor), HasSubstr("segments"));
  tensor.clear_segment();
  tensor.mutable_unknown_fields()->AddVarint(30, 1);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("field 30 of TensorProto"));
}

onnx::SparseTensorProto sparse() {
  onnx::SparseTensorProto tensor;
  for (const std::int64_t extent : {2, 3}) tensor.add_dims(extent);
  *tensor.mutable_values() = tensor_of(DType::float32, {2});
  tensor.mutable_values()->add_float_data(5);
  tensor.mutable_values()->add_float_data(6);
  *tensor.mutable_indices() = tensor_of(DType::int64, {2});
  tensor.mutable_indices()->add_int64_data(1);
  tensor.mutable_indices()->add_int64_data(5);
  return tensor;
}

TEST(TensorReaderTest, WritesOutTheZerosOfSparseTensors) {
  ExternalData external({});
  onnx::SparseTensorProto flat = sparse();
  EXPECT_THAT(take_sparse_tensor(flat, external, "t").values<float>(),
              ElementsAre(0, 5, 0, 0, 0, 6));
  onnx::SparseTensorProto pairs = sparse();
  *pairs.mutable_indices() = tensor_of(DType::int64, {2, 2});
  for (const int index : {0, 1, 1, 2}) pairs.mutable_indices()->add_int64_data(index);
  EXPECT_THAT(take_sparse_tensor(pairs, external, "t").values<float>(),
              ElementsAre(0, 5, 0, 0, 0, 6));
}

TEST(TensorReaderTest, RefusesSparseTensorsThatCannotBe) {
  onnx::SparseTensorProto tensor = sparse();
  tensor.mutable_indices()->set_int64_data(1, 6);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("index 6 lies outside [0,6)"));
  tensor = sparse();
  *tensor.mutable_indices() = tensor_of(DType::int64, {1, 2});
  for (const int index : {0, 1}) tensor.mutable_indices()->add_int64_data(index);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("it must be [2] or [2,2]"));
  tensor = sparse();
  tensor.set_dims(0, std::int64_t{1} << 34);
  EXPECT_THAT(refusal_of(tensor), HasSubstr("over 2 GB"));
}

TEST(TensorReaderTest, ReadsSparseInitializersAndConstants) {
  onnx::ModelProto model = model_of("g () => (float[2,3] w, float[2,3] c) { c = Constant () }");
  *model.mutable_graph()->add_sparse_initializer() = sparse();
  model.mutable_graph()->mutable_sparse_initializer(0)->mutable_values()->set_name("w");
  onnx::AttributeProto& value = *model.mutable_graph()->mutable_node(0)->add_attribute();
  value.set_name("sparse_value");
  value.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  *value.mutable_sparse_tensor() = sparse();
  const ModelFile file = read(model);
  for (const std::size_t i : {0, 1}) {
    EXPECT_THAT(output(file.graph, i).constant->values<float>(), ElementsAre(0, 5, 0, 0, 0, 6));
  }
}

}  // namespace
}  // namespace switchyard
