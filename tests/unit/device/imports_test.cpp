// Memory of one processor that two plugins drive, and peers that are told apart.
#include "device/imports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/streams.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

struct Exchange : testing::Test {
  Runtime runtime = start({{"exchange", "exchange_too"}, "", "", {"cpu"}});
  Device home = runtime.device("exchange"), other = runtime.device("exchange_too");
  Operation add = runtime.operation("Add");
};

TEST_F(Exchange, AnInputOfTheOtherPluginIsReadWhereItLies) {
  const Operation there = runtime.operation_on(other, "Add");
  for (int i = 0; i < 20; ++i) {
    Tensor x = counting({1000}).to(home);
    for (int step = 0; step < 4; ++step) x = add(x, x);  // under way when it is imported
    EXPECT_EQ(there(x, x).to_vector<float>()[999], 999.0F * 32);
  }
  EXPECT_THAT(report_of(other), HasSubstr("40 imports")) << "one for each input";
}

TEST_F(Exchange, AnotherProcessorsMemoryIsCopied) {
  const Runtime mixed = start({{"exchange", "opaque"}, "", "", {"cpu"}});
  const Tensor x = counting({10}).to(mixed.device("exchange"));
  const Operation there = mixed.operation_on(mixed.device("opaque"), "Add");
  EXPECT_EQ(there(x, x).to_vector<float>()[9], 18.0F);
}

TEST(Peers, AreThoseThatTheDeviceNames) {
  const auto reach = [](const char* plugin) {
    const Runtime runtime = start({{plugin}, "", "", {"cpu"}});
    const Device first = runtime.device(plugin),
                 second = runtime.device(plugin + std::string(":1"));
    const Tensor there = counting({2, 3}).to(first).to(second);
    EXPECT_EQ(there.to_vector<float>(), counting({2, 3}).to_vector<float>());
    return second.open()->reaches(*first.open());
  };
  EXPECT_TRUE(reach("two_devices"));
  EXPECT_FALSE(reach("two_strangers"));
}

}  // namespace
}  // namespace switchyard
