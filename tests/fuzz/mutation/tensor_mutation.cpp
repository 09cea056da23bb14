#include "mutation/tensor_mutation.hpp"

#include <algorithm>
#include <cstring>

namespace switchyard::fuzz {
namespace {

constexpr int kNewestType = 26;

int width_of(int dtype) {
  switch (dtype) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT32: return 4;
    case onnx::TensorProto::INT64:
    case onnx::TensorProto::UINT64:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::COMPLEX64: return 8;
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::FLOAT16:
    case onnx::TensorProto::BFLOAT16: return 2;
    case onnx::TensorProto::COMPLEX128: return 16;
    default: return 1;
  }
}

bool has_typed_data(const onnx::TensorProto& tensor) {
  return tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
             tensor.double_data_size() + tensor.uint64_data_size() + tensor.string_data_size() >
         0;
}

// So that most changed tensors are still whole: what is checked first is not all there is.
void fit_bytes(onnx::TensorProto& tensor) {
  constexpr std::int64_t kMostBytes = 4096;
  std::int64_t bytes = width_of(tensor.data_type());
  for (const std::int64_t extent : tensor.dims()) {
    if (extent < 0 || extent > kMostBytes || bytes > kMostBytes) return;
    bytes *= extent;
  }
  if (bytes > kMostBytes || has_typed_data(tensor)) return;
  std::string& raw = *tensor.mutable_raw_data();
  const std::string before = raw;
  raw.resize(static_cast<std::size_t>(bytes));
  for (std::size_t i = before.size(); i < raw.size() && !before.empty(); ++i) {
    raw[i] = before[i % before.size()];
  }
}

template <typename T>
void write_at(std::string& raw, std::size_t element, T value) {
  if ((element + 1) * sizeof(T) > raw.size()) return;
  std::memcpy(raw.data() + element * sizeof(T), &value, sizeof(T));
}

void mutate_raw_element(std::string& raw, int dtype, Dice& dice) {
  if (raw.empty()) return;
  const std::size_t element = dice.below(raw.size() / static_cast<std::size_t>(width_of(dtype)));
  switch (dtype) {
    case onnx::TensorProto::FLOAT: return write_at(raw, element, telling_float(dice));
    case onnx::TensorProto::DOUBLE:
      return write_at(raw, element, static_cast<double>(telling_float(dice)));
    case onnx::TensorProto::INT64: return write_at(raw, element, telling_integer(dice));
    case onnx::TensorProto::INT32:
      return write_at(raw, element, static_cast<std::int32_t>(telling_integer(dice)));
    default: raw[dice.below(raw.size())] = static_cast<char>(dice.next());
  }
}

void mutate_element(onnx::TensorProto& tensor, Dice& dice) {
  if (tensor.int64_data_size() > 0) {
    dice.pick(*tensor.mutable_int64_data()) = telling_integer(dice);
  } else if (tensor.float_data_size() > 0) {
    dice.pick(*tensor.mutable_float_data()) = telling_float(dice);
  } else if (tensor.int32_data_size() > 0) {
    dice.pick(*tensor.mutable_int32_data()) = static_cast<std::int32_t>(telling_integer(dice));
  } else if (tensor.has_raw_data()) {
    mutate_raw_element(*tensor.mutable_raw_data(), tensor.data_type(), dice);
  } else {
    fit_bytes(tensor);
  }
}

void mutate_rank(onnx::TensorProto& tensor, Dice& dice) {
  auto& dims = *tensor.mutable_dims();
  if (dims.size() > 0 && dice.one_in(2)) {
    dims.RemoveLast();
  } else {
    dims.Add(dice.one_in(2) ? 1 : telling_extent(dice));
  }
}

}  // namespace

void mutate_tensor(onnx::TensorProto& tensor, Dice& dice) {
  const std::size_t kind = dice.below(10);
  if (kind < 4) {
    if (tensor.dims_size() > 0) dice.pick(*tensor.mutable_dims()) = telling_extent(dice);
  } else if (kind < 5) {
    mutate_rank(tensor, dice);
  } else if (kind < 6) {
    tensor.set_data_type(static_cast<int>(dice.below(kNewestType)));
  } else if (kind < 9) {
    mutate_element(tensor, dice);
  } else if (tensor.has_raw_data()) {
    tensor.mutable_raw_data()->resize(dice.below(tensor.raw_data().size() + 9));
    return;
  }
  if (!dice.one_in(12)) fit_bytes(tensor);
}

onnx::TensorProto new_tensor(Dice& dice) {
  onnx::TensorProto tensor;
  const bool of_integers = dice.one_in(2);
  tensor.set_data_type(of_integers ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT);
  const std::size_t rank = dice.below(3);
  std::int64_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    tensor.add_dims(static_cast<std::int64_t>(dice.below(5)));
    count *= tensor.dims(static_cast<int>(i));
  }
  tensor.mutable_raw_data()->resize(static_cast<std::size_t>(count) * (of_integers ? 8 : 4));
  for (std::int64_t i = 0; i < count; ++i) {
    mutate_raw_element(*tensor.mutable_raw_data(), tensor.data_type(), dice);
  }
  return tensor;
}

void mutate_type(onnx::TypeProto& type, Dice& dice) {
  if (type.has_sequence_type() && !dice.one_in(10)) {
    return mutate_type(*type.mutable_sequence_type()->mutable_elem_type(), dice);
  }
  onnx::TypeProto_Tensor& tensor = *type.mutable_tensor_type();
  if (dice.one_in(4)) return tensor.set_elem_type(static_cast<int>(dice.below(kNewestType)));
  if (dice.one_in(10)) return tensor.clear_shape();
  auto& dims = *tensor.mutable_shape()->mutable_dim();
  if (dims.size() == 0 || dice.one_in(6)) {
    dims.Add()->set_dim_value(telling_extent(dice));
  } else if (dice.one_in(6)) {
    dims.RemoveLast();
  } else if (dice.one_in(5)) {
    dice.pick(dims).set_dim_param("n");
  } else {
    dice.pick(dims).set_dim_value(telling_extent(dice));
  }
}

}  // namespace switchyard::fuzz
