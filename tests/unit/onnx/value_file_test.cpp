// Test data files: tensors, sequences, optionals.
#include "onnx/files/value_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/proto/messages.hpp"
#include "onnx/small_models.hpp"
#include "onnx/tensors/tensor_writer.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Value declared(ValueKind kind) {
  Value value;
  value.kind = kind;
  return value;
}

const std::int64_t kNumbers[] = {1, 2, 3};

class ValueFileTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "v.pb"; }

  template <typename Message>
  StoredValue stored(const Message& message, ValueKind kind) {
    std::ofstream(path(), std::ios::binary) << onnx::encode(message);
    return read_value_pb(path(), declared(kind));
  }

  TemporaryFolder folder_;
};

TEST_F(ValueFileTest, ReadsBackWhatItWrites) {
  write_tensor_pb(path(), Literal::int64s(kNumbers), "x");
  const StoredValue value = read_tensor_pb(path());
  EXPECT_EQ(value.name, "x");
  EXPECT_EQ(value.kind, ValueKind::tensor);
  EXPECT_THAT(value.tensor().to_int64s(), ElementsAre(1, 2, 3));
  write_tensor_pb(path(), Literal({1}, {"text"}));
  EXPECT_THAT(read_value_pb(path(), declared(ValueKind::tensor)).tensor().strings(),
              ElementsAre("text"));
}

TEST_F(ValueFileTest, ReadsSequences) {
  onnx::SequenceProto sequence;
  sequence.name = "s";
  sequence.elem_type = onnx::ElementKind::tensor;
  for (int i = 0; i < 2; ++i) {
    fill_tensor(sequence.tensor_values.emplace_back(), Literal::int64(i));
  }
  const StoredValue value = stored(sequence, ValueKind::sequence);
  EXPECT_EQ(value.name, "s");
  EXPECT_TRUE(value.is_sequence);
  ASSERT_EQ(value.tensors.size(), 2u);
  EXPECT_THAT(value.tensors[1].to_int64s(), ElementsAre(1));
}

TEST_F(ValueFileTest, ReadsOptionals) {
  onnx::OptionalProto optional;
  optional.name = "o";
  EXPECT_FALSE(stored(optional, ValueKind::optional).is_present);
  optional.elem_type = onnx::ElementKind::tensor;
  fill_tensor(optional.tensor_value.emplace(), Literal::int64(4));
  const StoredValue tensor = stored(optional, ValueKind::optional);
  EXPECT_TRUE(tensor.is_present);
  EXPECT_FALSE(tensor.is_sequence);
  EXPECT_THAT(tensor.tensor().to_int64s(), ElementsAre(4));
  optional.elem_type = onnx::ElementKind::sequence;
  optional.sequence_value.emplace().elem_type = onnx::ElementKind::tensor;
  EXPECT_TRUE(stored(optional, ValueKind::optional).is_sequence);
}

TEST_F(ValueFileTest, RefusesWhatItCannotRead) {
  const auto refusal_of = [this](ValueKind kind) -> std::string {
    try {
      read_value_pb(path(), declared(kind));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refusal_of(ValueKind::tensor), HasSubstr("v.pb: cannot read it: No such file"));
  std::ofstream(path()) << "hello, world";
  for (const ValueKind kind : {ValueKind::tensor, ValueKind::sequence, ValueKind::optional}) {
    EXPECT_THAT(refusal_of(kind), HasSubstr("it is not a valid ONNX"));
  }
}

TEST_F(ValueFileTest, SurvivesFilesCutShortAtAnyByte) {
  write_tensor_pb(path(), Literal::int64s(kNumbers), "x");
  const auto size = std::filesystem::file_size(path());
  std::size_t refused = 0;
  for (std::size_t i = size; i-- > 0;) {
    std::filesystem::resize_file(path(), i);
    try {
      read_tensor_pb(path());
    } catch (const Error&) {
      ++refused;
    }
  }
  // Whole again only where the cut falls before a field that may be left out.
  EXPECT_GE(refused + 3, size);
}

}  // namespace
}  // namespace switchyard
