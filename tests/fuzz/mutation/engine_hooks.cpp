// What libFuzzer calls to change a model: changes of what it says, and now and then of its bytes.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>

#include "mutation/model_mutation.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using switchyard::fuzz::Dice;

bool read(onnx::ModelProto& model, const std::uint8_t* data, std::size_t size) {
  return model.ParseFromArray(data, static_cast<int>(size)) && model.has_graph();
}

// 0 if there is no room for it.
std::size_t write(const onnx::ModelProto& model, std::uint8_t* data, std::size_t most) {
  const std::size_t size = model.ByteSizeLong();
  if (size > most) return 0;
  model.SerializeToArray(data, static_cast<int>(size));
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Dice dice(seed);
  onnx::ModelProto model;
  if (dice.one_in(20) || !read(model, data, size)) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + dice.below(4); changes > 0; --changes) {
    switchyard::fuzz::mutate_model(model, dice);
  }
  const std::size_t written = write(model, data, most);
  return written > 0 ? written : LLVMFuzzerMutate(data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
  Dice dice(seed);
  onnx::ModelProto model, other;
  if (!read(model, first, first_size) || !read(other, second, second_size)) return 0;
  switchyard::fuzz::splice(model, other, dice);
  return write(model, out, most);
}
