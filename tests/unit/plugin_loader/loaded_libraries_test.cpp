#include "plugin_loader/loaded_libraries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin_loader/fakes.hpp"

namespace switchyard {
namespace {

TEST(LoadedLibraries, AreThoseOfThePluginsToo) {
  ASSERT_TRUE(load_fake("good").plugin);
  EXPECT_THAT(loaded_libraries(), testing::Contains(fake_library("good").string()));
}

}  // namespace
}  // namespace switchyard
