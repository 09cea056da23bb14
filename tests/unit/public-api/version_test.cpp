// What says which version a program is built with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <switchyard/switchyard.hpp>
#include <switchyard/version.hpp>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

TEST(Version, OfTheHeadersIsThatOfTheLibrary) {
  const std::string text = std::to_string(SWITCHYARD_VERSION_MAJOR) + "." +
                           std::to_string(SWITCHYARD_VERSION_MINOR) + "." +
                           std::to_string(SWITCHYARD_VERSION_PATCH);
  EXPECT_EQ(version(), text);
}

TEST(Version, ProgramsReferToTheSymbolOfTheirStandardLibrary) {
  EXPECT_EQ(detail::linked_abi, &SWITCHYARD_ABI);
}

TEST(ModuleList, NamesModulesWithoutTypeInformation) {
  const nn::ModuleList list{nn::Linear(2, 3), nn::ReLU()};
  EXPECT_THAT(thrown([&] { list.at<nn::Dropout>(0); }),
              testing::HasSubstr("module 0 is a switchyard::nn::Linear, not a "
                                 "switchyard::nn::Dropout"));
}

}  // namespace
}  // namespace switchyard
