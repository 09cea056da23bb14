// Models cut short at every byte, and with every byte wrong: read or refused, never worse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"
#include "onnx/tensors/tensor_writer.hpp"

namespace switchyard {
namespace {

std::vector<std::string> samples() {
  std::vector<onnx::ModelProto> models;
  models.push_back(model_of(
      "conv (float[N,1,8,8] x) => (float[N,2,6,6] y) <float[2,1,3,3] w = {1.0, 2.0, 3.0, 4.0, 5.0,"
      " 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}, float[2] b = {0.5, 1.0}> "
      "{"
      "  c = Conv <kernel_shape = [3,3], strides = [1,1]> (x, w, b) \n y = Relu (c) }"));
  models.push_back(model_of(
      "shapes (float[a,b] x) => (float[] y, int64[] n) <int64[2] s = {-1, 2}, int64[1] o = {0}> {"
      "  r = Reshape (x, s) \n t = Transpose <perm = [1,0]> (r) \n u = Unsqueeze (t, o)"
      "  y = Slice (u, o, o) \n n = Shape (y) }"));
  models.push_back(
      model_of("old (float[2,4] x) => (float[2,4] y) { a = Clip <min = 0.0, max = 6.0> (x)"
               "  b = Softmax <axis = 1> (a) \n y = Dropout <ratio = 0.5> (b) }",
               7));
  models.push_back(
      model_of("branch (bool c, float[2] x) => (float[2] y) {"
               "  y = If (c) <then_branch = t () => (float[2] p) { p = Relu (x) },"
               "              else_branch = e () => (float[2] q) { q = Neg (x) }> }"));
  models.push_back(model_of(
      "loop (int64 n, float[2] x) => (float[2] y, float[] z) {"
      "  y, z = Loop (n, \"\", x) <body = b (int64 i, bool d, float[2] v) => (bool d, float[2] w,"
      "    float[2] w) { w = Add (v, x) }> }"));
  models.push_back(
      model_of("scan (float[3] a, float[5,3] x) => (float[3] b, float[5,3] y) {"
               "  b, y = Scan (a, x) <num_scan_inputs = 1, body = s (float[3] h, float[3] v) =>"
               "    (float[3] g, float[3] k) { g = Add (h, v) \n k = Identity (g) }> }"));
  models.push_back(
      model_of("sequence (float[2] x, int64 i) => (float[] y) { s = SequenceConstruct (x, x)"
               "  t = SequenceInsert (s, x, i) \n y = ConcatFromSequence <axis = 0> (t) }"));
  models.push_back(model_of("call (float[2] x) => (float[2] y) { y = own.F <a = 0.5> (x) }"));
  add_import(models.back(), "own", 1);
  onnx::FunctionProto& function =
      add_function(models.back(), "F", "(p) => (q) { q = LeakyRelu <alpha: float = @a> (p) }");
  function.attribute.push_back("a");
  std::vector<std::string> bytes;
  for (const onnx::ModelProto& model : models) bytes.push_back(onnx::encode(model));
  return bytes;
}

/// True if it is read; a refusal has to be one line that names the file.
bool is_read(const std::string& bytes) {
  try {
    read_model_bytes(bytes_of(bytes), {}, "m.onnx");
    return true;
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(error.kind() == ErrorKind::model) << what;
    EXPECT_EQ(what.rfind("m.onnx: ", 0), 0u) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return false;
  }
}

TEST(DamageTest, SamplesAreSound) {
  for (const std::string& sample : samples()) EXPECT_TRUE(is_read(sample));
}

TEST(DamageTest, RefusesModelsCutShortAtAnyByte) {
  for (const std::string& sample : samples()) {
    std::size_t read = 0;
    for (std::size_t size = 0; size < sample.size(); ++size) {
      if (is_read(sample.substr(0, size))) ++read;
    }
    // Only behind the graph and the imports may a cut leave a whole model.
    EXPECT_LE(read, 1u);
  }
}

TEST(DamageTest, SurvivesAnyWrongByte) {
  for (const std::string& sample : samples()) {
    for (std::size_t i = 0; i < sample.size(); ++i) {
      for (const int flip : {0x01, 0x02, 0x08, 0x40, 0x80, 0xFF}) {
        std::string damaged = sample;
        damaged[i] = static_cast<char>(damaged[i] ^ flip);
        is_read(damaged);
      }
    }
  }
}

TEST(DamageTest, SurvivesBytesLeftOutAndDoubled) {
  for (const std::string& sample : samples()) {
    for (std::size_t i = 0; i < sample.size(); ++i) {
      is_read(sample.substr(0, i) + sample.substr(i + 1));
      is_read(sample.substr(0, i + 1) + sample.substr(i));
    }
  }
}

}  // namespace
}  // namespace switchyard
