// Each lint case holds one thing that Metal refuses. One of three readers must see it: our own
// rules, the C++ compiler, or a compiler of C++ for OpenCL, which knows address spaces.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "kernels/sources.hpp"
#include "software/compile/files.hpp"
#include "software/compile/preprocess.hpp"
#include "software/compile/process.hpp"
#include "software/translator/kernels.hpp"
#include "software/translator/lint.hpp"
#include "software/translator/translate.hpp"
#include "test_device.hpp"
#include "test_folders.hpp"

namespace mps::software::test {
namespace {

namespace fs = std::filesystem;

const fs::path here = fs::path(SWITCHYARD_SOURCE_DIR) / "plugins/mps/tests/software";

struct Case {
  const char* file;
  const char* message;  // a part of it
};

std::string stem() {
  return (fs::temp_directory_path() / ("switchyard-lint-" + std::to_string(getpid()))).string();
}

std::string processed(const seam::Source& source) { return preprocess("c++", source, stem()); }

std::string read_case(const std::string& file) {
  return read_file(here / "lint-cases" / (file + ".metal"));
}

class OurRules : public testing::TestWithParam<Case> {};

TEST_P(OurRules, SeeIt) {
  const std::string text = read_case(GetParam().file);
  const std::string whole = processed({"case.metal", text});
  try {
    translate(whole, "case.metal", "library");
    FAIL() << "not seen";
  } catch (const TranslationError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("case.metal:3: error: ", 0), 0u) << message;
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  }
}

const Case seen_by_our_rules[] = {
    {"bad_attribute_name", "unknown attribute [[thread_position_in_gird]]"},
    {"buffer_index_31", "index 31, the last is 30"},
    {"double", "Metal has no 'double'"},
    {"duplicate_buffer_index", "two parameters of k are [[buffer(0)]]"},
    {"function_constant_as_extent", "the extent of array 't' is a function constant"},
    {"function_constant_changed", "'n' is a constant"},
    {"function_constant_in_array", "not declared as a single TYPE NAME = VALUE"},
    {"function_pointer", "no pointers to functions"},
    {"goto", "Metal has no 'goto'"},
    {"helper_ptr_without_address_space", "parameter 'float *p' of h names no address space"},
    {"kernel_returns_value", "kernel k does not return void"},
    {"local_ptr_without_address_space", "pointer 'p' names no address space"},
    {"mutable_global", "'g' outside functions is not in the constant address space"},
    {"mutual_recursion", "calls itself"},
    {"new", "Metal has no 'new'"},
    {"ptr_param_without_address_space", "parameter 'float *x' of k names no address space"},
    {"recursion", "function f calls itself"},
    {"scalar_without_attribute", "parameter 'uint n' of a kernel has no attribute"},
    {"static_local", "no static variables"},
    {"std_use", "Metal has no 'std'"},
    {"threadgroup_in_block", "'t' is not in the outermost block of a kernel"},
    {"threadgroup_in_helper", "'t' is not in the outermost block of a kernel"},
    {"threadgroup_init", "a threadgroup variable cannot be initialised"},
    {"throw", "Metal has no 'throw'"},
    {"virtual", "Metal has no 'virtual'"},
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.file; }

INSTANTIATE_TEST_SUITE_P(Cases, OurRules, testing::ValuesIn(seen_by_our_rules), name_of);

class CppCompiler : public testing::TestWithParam<Case> {};

TEST_P(CppCompiler, SeesIt) {
  const std::string text = read_case(GetParam().file);
  const std::string error = failure_of(
      [&] {
        open()->library({"case.metal", text});
      },
      seam::Fault::compilation);
  EXPECT_NE(error.find("case.metal:3:"), std::string::npos) << error;
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
}

const Case seen_by_the_compiler[] = {
    {"float4_to_half4_implicit", "="},
    {"float4_to_int4_implicit", "="},
    {"function_constant_as_case", "constant expression"},
    {"function_constant_as_template_argument", "no matching function"},
    {"function_constant_in_constexpr", "constant expression"},
    {"missing_semicolon", ";"},
    {"uint_atomic_on_plain_ptr", "atomic_fetch_add_explicit"},
    {"unknown_function", "simd_summ"},
    {"write_to_constant", "a"},
    {"wrong_vec_size", "float4"},
};

INSTANTIATE_TEST_SUITE_P(Cases, CppCompiler, testing::ValuesIn(seen_by_the_compiler), name_of);

// Empty where there is none, and none is required.
std::string clang() {
  for (const char* name : {"clang-16", "clang", "clang-15", "clang-14"}) {
    try {
      if (run_process({name, "--version"}).status == 0) return name;
    } catch (const seam::Failure&) {  // there is no such program
    }
  }
  EXPECT_EQ(std::getenv("SWITCHYARD_REQUIRE_DATA"), nullptr) << "there is no clang";
  return {};
}

// What the compiler for OpenCL says of it.
std::string check_as_opencl(const std::string& compiler, const seam::Source& source) {
  const TemporaryFile file(stem() + ".clcpp");
  write_file(file.path(), translate_for_check(processed(source), source.name));
  return run_process({compiler, "-x", "cl", "-cl-std=clc++2021", "-target", "spir64",
                      "-cl-no-stdinc", "-nogpulib", "-w", "-fsyntax-only", "-include",
                      (here / "opencl" / "metal.h").string(), file.path()})
      .errors;
}

class OpenClCompiler : public testing::TestWithParam<Case> {};

TEST_P(OpenClCompiler, SeesIt) {
  const std::string compiler = clang();
  if (compiler.empty()) GTEST_SKIP() << "there is no clang";
  const std::string text = read_case(GetParam().file);
  const std::string errors = check_as_opencl(compiler, {"case.metal", text});
  EXPECT_NE(errors.find("case.metal:3:"), std::string::npos) << errors;
  EXPECT_NE(errors.find(GetParam().message), std::string::npos) << errors;
}

const Case seen_by_opencl[] = {
    {"array_vla", "array"},
    {"constant_ptr_to_device_ptr", "cannot initialize a variable"},
    {"device_ptr_to_thread_param", "no matching function for call to 'h'"},
    {"device_to_threadgroup_ptr", "changes address space"},
};

INSTANTIATE_TEST_SUITE_P(Cases, OpenClCompiler, testing::ValuesIn(seen_by_opencl), name_of);

TEST(LintCases, EachIsInOneTable) {
  std::set<std::string> known;
  for (const Case& one : seen_by_our_rules) known.insert(one.file);
  for (const Case& one : seen_by_the_compiler) known.insert(one.file);
  for (const Case& one : seen_by_opencl) known.insert(one.file);
  for (const auto& entry : fs::directory_iterator(here / "lint-cases")) {
    EXPECT_EQ(known.erase(entry.path().stem().string()), 1u) << entry.path();
  }
  EXPECT_TRUE(known.empty());
}

TEST(Kernels, AreCleanForOpenCl) {
  const std::string compiler = clang();
  if (compiler.empty()) GTEST_SKIP() << "there is no clang";
  for (const seam::Source& source : kernel_sources()) {
    EXPECT_EQ(check_as_opencl(compiler, source), "") << source.name;
  }
}

TEST(Lints, LeaveAloneWhatMetalHas) {
  const auto device = open();
  EXPECT_EQ(failure_of(
                [&] {
                  device->library({"fine.metal", R"(#include <metal_stdlib>
using namespace metal;
constant constexpr float table[2] = {1.0, 2.0};
constant uint n [[function_constant(0)]];
constant uint twice = n * 2;
inline float gelu(float v) { return v * 2; }
inline float4 gelu(float4 v) { return float4(gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w)); }
struct Sum {
  static float apply(float a, float b) { return a + b; }
  float operator()(float a) const { return a; }
};
template <int n> float power(float x) { return x * power<n - 1>(x); }
template <> inline float power<0>(float) { return 1; }
inline uint next(uint n) { n += 1; return n; }
static inline void store(device float* to, const thread float& value) { *to = value; }
kernel void k(device float* x [[buffer(0)]], uint3 i [[thread_position_in_grid]]) {
  auto y = x + i.x;
  device float* z = x;
  float a = table[0] * x[0];
  float rows[4], left = rows[n % 4] + x[twice] + next(n);
  for (uint i = 0; i < n; ++i) left += rows[i];
  if (n == 3 && left > rows[n]) x[n] = left;
  store(y, Sum::apply(a, power<3>(z[0])) + gelu(float4(a)).x + Sum()(a));
}
)"});
                },
                seam::Fault::compilation),
            "nothing");
}

}  // namespace
}  // namespace mps::software::test
