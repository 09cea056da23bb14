// Every function that gets what it cannot take throws Error(invalid_argument), as
// <switchyard/tensor.hpp> says: no tensor at all, shapes that do not go together, types that it is
// not for, dimensions and numbers that lie outside.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/io.hpp>
#include <switchyard/model.hpp>
#include <vector>

#include "functions/creation/new_tensor.hpp"
#include "functions/wrong_calls/wrong_calls.hpp"
#include "tensor/host_tensor.hpp"
#include "test_folders.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard {
namespace {

Calls wrong_calls() {
  Calls all;
  for (const auto& calls :
       {wrong_calls_of_creation, wrong_calls_of_shaping, wrong_calls_of_pointwise,
        wrong_calls_along, wrong_calls_of_indexing, wrong_calls_of_layers, wrong_calls_of_losses,
        wrong_calls_of_linear_algebra, wrong_calls_of_members}) {
    for (WrongCall& call : calls()) all.push_back(std::move(call));
  }
  return all;
}

/// A backward pass names the call whose gradient it computes. A device that works asynchronously
/// tells of its own at a wait.
bool may_name_another(const std::string& name, const Error& error) {
  const bool is_late = std::string_view(error.what()).find(": wait: ") != std::string_view::npos;
  return is_late || name == "backward" || name == "grad";
}

TEST(ErrorKind, OfAFunctionIsTheCallersAndNamesTheFunction) {
  const Calls calls = wrong_calls();
  EXPECT_GE(calls.size(), 400u);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(calls[i].function + ", wrong call " + std::to_string(i));
    try {
      calls[i].call();
      ADD_FAILURE() << "throws nothing";
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::invalid_argument ||
                  error.kind() == ErrorKind::shape_mismatch)
          << name_of(error.kind()) << ": " << error.what();
      const std::string name = calls[i].function.substr(calls[i].function.rfind(':') + 1);
      if (!may_name_another(name, error)) {
        EXPECT_EQ(error.function(), name) << error.what();
      }
      // A number that the caller gave stands there as it was given; only models have unknown
      // extents.
      EXPECT_EQ(std::string(error.what()).find("[?"), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("?]"), std::string::npos) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "throws another exception: " << error.what();
    }
  }
}

/// Functions of elements `x` of any type.
const std::pair<const char*, std::function<void(const Tensor& x)>> kOfAnyType[] = {
    {"zeros_like", [](const Tensor& x) { zeros_like(x); }},
    {"ones_like", [](const Tensor& x) { ones_like(x); }},
    {"full_like", [](const Tensor& x) { full_like(x, 1.5); }},
    {"fill_", [](const Tensor& x) { x.fill_(1); }},
    {"+ 1", [](const Tensor& x) { static_cast<void>(x + 1); }},
    {"1.5 *", [](const Tensor& x) { static_cast<void>(1.5 * x); }},
    {"> 0", [](const Tensor& x) { static_cast<void>(x > 0); }},
    {"== itself", [](const Tensor& x) { static_cast<void>(x == x); }},
    {"where",
     [](const Tensor& x) {
       where(tensor({true, false}), x, 1);
     }},
    {"clamp", [](const Tensor& x) { clamp(x, 0, 1); }},
    {"masked_fill",
     [](const Tensor& x) {
       masked_fill(x, tensor({true, false}), 1);
     }},
    {"pad",
     [](const Tensor& x) {
       pad(x, {1, 1});
     }},
    {"pow", [](const Tensor& x) { pow(x, 2); }},
    {"floor_divide", [](const Tensor& x) { floor_divide(x, 2); }},
    {"/ 2", [](const Tensor& x) { static_cast<void>(x / 2); }},
    {"sum", [](const Tensor& x) { x.sum(); }},
    {"add", [](const Tensor& x) { add(x, ones({2}, {.dtype = DType::int32})); }},
    {"matmul", [](const Tensor& x) { matmul(x, x); }},
    {"cat",
     [](const Tensor& x) {
       cat({x, ones({2})});
     }},
    {"item", [](const Tensor& x) { x.narrow(0, 0, 1).item(); }},
    {"to", [](const Tensor& x) { x.to(DType::float32); }},
    {"arange", [](const Tensor& x) { arange(0, 2, 1, {.dtype = x.dtype()}); }},
    {"linspace", [](const Tensor& x) { linspace(0, 1, 2, {.dtype = x.dtype()}); }},
    {"eye", [](const Tensor& x) { eye(2, {}, {.dtype = x.dtype()}); }},
    {"rand_like", [](const Tensor& x) { rand_like(x); }},
    {"randint", [](const Tensor& x) { randint(0, 2, {2}, {.dtype = x.dtype()}); }},
    {"one_hot", [](const Tensor& x) { one_hot(x, 3); }},
    {"cumsum", [](const Tensor& x) { cumsum(x, 0); }},
    {"sort", [](const Tensor& x) { sort(x); }},
    {"t().contiguous()",
     [](const Tensor& x) {
       x.view({1, 2}).t().contiguous();
     }},
    {"flip", [](const Tensor& x) { flip(x, {0}); }},
    {"interpolate",
     [](const Tensor& x) {
       interpolate(x.view({1, 1, 2}), {.size = {4}});
     }},
    {"requires_grad_", [](const Tensor& x) { Tensor(x).requires_grad_(); }},
};

Tensor zero_bytes(DType dtype) {
  const std::vector<std::byte> bytes(byte_size(dtype, 2));
  return place(host_tensor_from_bytes(
      dtype, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, {2}));
}

/// What no device takes may be what another one would.
bool is_of_devices(const Error& error) {
  return error.kind() == ErrorKind::unsupported &&
         std::string(error.what()).find("no device takes it") != std::string::npos;
}

TEST(ErrorKind, OfElementsThatAFunctionIsNotForIsUsage) {
  for (int number = 1; number <= static_cast<int>(kLastDType); ++number) {
    const auto dtype = static_cast<DType>(number);
    if (dtype == DType::string) continue;
    for (const auto& [name, function] : kOfAnyType) {
      SCOPED_TRACE(std::string(name_of(dtype)) + ", " + name);
      try {
        function(zero_bytes(dtype));
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::invalid_argument || is_of_devices(error))
            << name_of(error.kind()) << ": " << error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "throws another exception: " << error.what();
      }
    }
  }
}

/// These take whatever C++ lets one pass.
const std::set<std::string> kTakeAnything{"manual_seed", "random_state", "set_random_state"};

TEST(ErrorKind, IsTriedForEveryFunction) {
  std::set<std::string> tried = kTakeAnything;
  for (const WrongCall& wrong : wrong_calls()) {
    const bool is_member = wrong.function.starts_with("Tensor::");
    tried.insert(is_member ? wrong.function : wrong.function.substr(wrong.function.rfind(':') + 1));
  }
  const std::filesystem::path folder = SWITCHYARD_SOURCE_DIR "/host/include/switchyard/functions";
  const std::regex declared(
      "\n\\[\\[nodiscard\\]\\] SWITCHYARD_API [A-Za-z:<>0-9]+\\s+([a-z_0-9]+)\\(");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = trace::content_of(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), declared), end; it != end; ++it) {
      EXPECT_TRUE(tried.count((*it)[1])) << (*it)[1] << " has no wrong call above";
    }
  }
}

/// A file that is not there or that the system does not give is another matter than what it holds.
TEST(ErrorKind, OfFilesIsAsTheirHeadersSay) {
  const auto expect_kind = [](const char* kind, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << "throws nothing";
    } catch (const Error& error) {
      EXPECT_EQ(name_of(error.kind()), kind) << error.what();
    }
  };
  const std::filesystem::path nowhere = "/nowhere/at.all";
  expect_kind("not_found", [&] { load_safetensors(nowhere); });
  expect_kind("not_found", [&] { load_npy(nowhere); });
  expect_kind("model", [&] { load_npy(SWITCHYARD_SOURCE_DIR "/README.md"); });
  expect_kind("io", [&] { load_safetensors(SWITCHYARD_SOURCE_DIR); });
  expect_kind("not_found", [&] { Model::load(current_runtime(), nowhere); });
  expect_kind("model", [&] { Model::load(current_runtime(), SWITCHYARD_SOURCE_DIR "/README.md"); });
  expect_kind("not_found", [&] { save_safetensors(nowhere, {{"a", ones({1})}}); });
  expect_kind("invalid_argument", [&] { save_safetensors("a.safetensors", {{"a", none()}}); });
  expect_kind("not_found", [&] { save_npy(nowhere, ones({1})); });
  expect_kind("invalid_argument", [&] { save_npy("a.npy", none()); });
}

/// An op that is called by itself gets its inputs from the caller, too.
TEST(ErrorKind, OfAnOperationIsTheCallers) {
  const Runtime runtime = current_runtime();
  const auto kind_of = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(name_of(error.kind()));
    }
    return std::string("nothing");
  };
  EXPECT_EQ(kind_of([&] { runtime.operation("NoSuchOp"); }), "not_found");
  EXPECT_EQ(kind_of([&] {
              runtime.operation("Softmax", {{"sixes", std::int64_t{1}}});
            }),
            "invalid_argument");
  EXPECT_EQ(kind_of([&] { runtime.operation("Softmax", {{"axis", 0.5F}}); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { runtime.operation("Loop"); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] {
              runtime.operation("ConstantOfShape", {{"value", Tensor()}});
            }),
            "invalid_argument");
  const Operation add = runtime.operation("Add"), softmax = runtime.operation("Softmax");
  EXPECT_EQ(kind_of([&] { add(floats(), others()); }), "shape_mismatch");
  EXPECT_EQ(kind_of([&] { add(floats(), integers()); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { add(floats()); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { add(none(), floats()); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { softmax(integers()); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { softmax(floats(), floats()); }), "invalid_argument");
  EXPECT_EQ(kind_of([&] { softmax(std::vector<Tensor>{}); }), "invalid_argument");
}

}  // namespace
}  // namespace switchyard
