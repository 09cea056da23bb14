// Our reading and writing of the wire format beside protobuf's, on every model of ONNX's backend
// tests: whole, cut short, and damaged.
#ifdef SWITCHYARD_ONNX_LIBRARY

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <gtest/gtest.h>

#include "onnx/proto/decode.hpp"
#include "onnx/small_models.hpp"
#include "short_tests.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;
using google::protobuf::DescriptorPool;
using google::protobuf::DescriptorProto;
using google::protobuf::DynamicMessageFactory;
using google::protobuf::FieldDescriptor;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr const char* kFolder = "/usr/share/libonnx-testdata/data";

std::vector<std::string> models() {
  std::vector<std::string> bytes;
  if (!fs::exists(kFolder)) return bytes;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() != ".onnx") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    bytes.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return bytes;
}

/// Damaged texts are not UTF-8: as bytes they are read all the same, without a word on stderr.
void read_texts_as_bytes(DescriptorProto& message) {
  for (FieldDescriptorProto& field : *message.mutable_field()) {
    if (field.type() == FieldDescriptorProto::TYPE_STRING) {
      field.set_type(FieldDescriptorProto::TYPE_BYTES);
    }
  }
  for (DescriptorProto& nested : *message.mutable_nested_type()) read_texts_as_bytes(nested);
}

/// protobuf's ModelProto, of ONNX's own description: the classes in ONNX's library may be built
/// without reflection.
std::unique_ptr<Message> new_model() {
  static DescriptorPool pool;
  static DynamicMessageFactory factory(&pool);
  static const Message& prototype = *[] {
    FileDescriptorSet files;
    std::ifstream stream(SWITCHYARD_ONNX_DESCRIPTORS, std::ios::binary);
    EXPECT_TRUE(files.ParseFromIstream(&stream)) << SWITCHYARD_ONNX_DESCRIPTORS;
    for (FileDescriptorProto& file : *files.mutable_file()) {
      for (DescriptorProto& message : *file.mutable_message_type()) read_texts_as_bytes(message);
      pool.BuildFile(file);
    }
    return factory.GetPrototype(pool.FindMessageTypeByName("onnx.ModelProto"));
  }();
  return std::unique_ptr<Message>(prototype.New());
}

/// What we do not read, or what says nothing: a number or text of its default value, where being
/// absent is the same.
bool says_nothing(const Message& message, const FieldDescriptor& field) {
  static const std::set<std::string> kPassedOver{"doc_string", "quantization_annotation",
                                                 "training_info", "denotation"};
  if (kPassedOver.count(field.name()) > 0 && field.full_name() != "onnx.ModelProto.doc_string") {
    return true;
  }
  static const std::set<std::string> kMayBeAbsent{"onnx.AttributeProto.f", "onnx.AttributeProto.i",
                                                  "onnx.AttributeProto.s"};
  if (field.is_repeated() || field.containing_oneof() ||
      kMayBeAbsent.count(field.full_name()) > 0) {
    return false;
  }
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return reflection.GetString(message, &field).empty();
    case FieldDescriptor::CPPTYPE_INT32: return reflection.GetInt32(message, &field) == 0;
    case FieldDescriptor::CPPTYPE_INT64: return reflection.GetInt64(message, &field) == 0;
    case FieldDescriptor::CPPTYPE_ENUM: return reflection.GetEnumValue(message, &field) == 0;
    default: return false;
  }
}

void strip(Message& message) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (says_nothing(message, *field)) {
      reflection.ClearField(&message, field);
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        strip(*reflection.MutableRepeatedMessage(&message, field, i));
      }
    } else {
      strip(*reflection.MutableMessage(&message, field));
    }
  }
}

std::optional<onnx::ModelProto> ours(const std::string& bytes) {
  try {
    return onnx::decode<onnx::ModelProto>({nullptr, bytes_of(bytes)}, "m.onnx", "ONNX model");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model) << error.what();
    return std::nullopt;
  }
}

struct Opinions {
  std::size_t both_read = 0;
  std::size_t only_we_read = 0;  // protobuf looks into what we pass over
};

/// What we read, protobuf reads to the same.
void compare(const std::string& bytes, Opinions& opinions) {
  const std::optional<onnx::ModelProto> model = ours(bytes);
  if (!model) return;
  const std::unique_ptr<Message> theirs = new_model();
  if (!theirs->ParseFromString(bytes)) {
    ++opinions.only_we_read;
    return;
  }
  ++opinions.both_read;
  strip(*theirs);
  theirs->DiscardUnknownFields();
  const std::unique_ptr<Message> written = new_model();
  EXPECT_TRUE(written->ParseFromString(onnx::encode(*model)));
  written->DiscardUnknownFields();  // newer than Debian's ONNX
  EXPECT_EQ(written->SerializeAsString(), theirs->SerializeAsString());
}

TEST(SecondOpinionTest, ProtobufReadsModelsToTheSame) {
  Opinions opinions;
  for (const std::string& model : models()) compare(model, opinions);
  EXPECT_EQ(opinions.both_read, models().size());
}

TEST(SecondOpinionTest, ProtobufWritesTheSameBytes) {
  for (const std::string& model : models()) {
    const std::unique_ptr<Message> theirs = new_model();
    ASSERT_TRUE(theirs->ParseFromString(model));
    strip(*theirs);
    const std::string bytes = theirs->SerializeAsString();
    EXPECT_TRUE(onnx::encode(*ours(bytes)) == bytes);
  }
}

/// From one byte that is cut off or damaged to the next.
std::size_t step() { return are_tests_short() ? 7 : 1; }

TEST(SecondOpinionTest, ProtobufReadsNothingElseInWhatIsCutShort) {
  Opinions opinions;
  for (const std::string& model : models()) {
    if (model.size() > 300) continue;
    for (std::size_t size = 0; size < model.size(); size += step())
      compare(model.substr(0, size), opinions);
  }
  EXPECT_EQ(opinions.only_we_read, 0u);
}

TEST(SecondOpinionTest, ProtobufReadsNothingElseInWhatIsDamaged) {
  Opinions opinions;
  for (const std::string& model : models()) {
    if (model.size() > 200) continue;
    for (std::size_t i = 0; i < model.size(); i += step()) {
      for (const int flip : {0x01, 0x10, 0x80}) {
        std::string damaged = model;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        compare(damaged, opinions);
      }
    }
  }
  EXPECT_LE(opinions.only_we_read, opinions.both_read / 1000);
}

}  // namespace
}  // namespace switchyard

#endif  // SWITCHYARD_ONNX_LIBRARY
