// A configuration that changes while other threads compute.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

TEST(ReloadThreads, NoCallIsLostOrWrong) {
  const std::string first = config_text({{"good", "asynchronous"}});
  const std::string second = config_text({{"asynchronous", "good"}, "pins.Relu = \"good\""});
  const Runtime runtime = Runtime::from_text(first);
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      const Operation add = runtime.operation("Add"), relu = runtime.operation("Relu");
      Tensor sum = floats({2}, {-1, 1});
      for (int i = 1; !is_over || i < 50; ++i) {
        sum = add(sum, floats({2}, {-1, 1}));
        EXPECT_EQ(relu(sum).to_vector<float>(), (Floats{0, static_cast<float>(i + 1)}));
      }
    });
  }
  for (int i = 0; i < 40; ++i) runtime.reload_from_text(i % 2 == 0 ? second : first);
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

TEST(ReloadThreads, PluginsAreReplacedUnderTheirUsers) {
  const auto with_memory = [](int bytes) {
    return config_text({{"template_c", "good"},
                        "",
                        fmt::format("[plugins.template_c.options]\nmemory_bytes = {}\n", bytes)});
  };
  const Runtime runtime = Runtime::from_text(with_memory(1'000'000));
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      const Operation relu = runtime.operation("Relu");
      const Tensor held = floats({2}, {-1, 2}).to(runtime.device("template_c"));
      for (int i = 0; !is_over || i < 20; ++i) {
        EXPECT_EQ(relu(held).to_vector<float>(), (Floats{0, 2}));
      }
    });
  }
  for (int i = 0; i < 20; ++i) runtime.reload_from_text(with_memory(2'000'000 + i));
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace switchyard
