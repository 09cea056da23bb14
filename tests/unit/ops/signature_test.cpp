#include "ops/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "ops/type_sets.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(SignatureTest, ReadsFormals) {
  const Signature parsed =
      parse_signature("data:T axes:int64?! rest:any?* -> out:T all:seq(T) maybe:opt(seq(T))?", "",
                      "T=float32|int4s");
  ASSERT_EQ(parsed.inputs.size(), 3u);
  EXPECT_EQ(parsed.inputs[0].name, "data");
  EXPECT_EQ(parsed.inputs[0].letter, 0);
  EXPECT_EQ(parsed.inputs[0].allowed,
            type_set_of(DType::float32) | type_set_of(DType::int4) | type_set_of(DType::uint4));
  EXPECT_TRUE(parsed.inputs[1].optional);
  EXPECT_TRUE(parsed.inputs[1].host_input);
  EXPECT_EQ(parsed.inputs[1].letter, -1);
  EXPECT_EQ(parsed.inputs[1].allowed, type_set_of(DType::int64));
  EXPECT_TRUE(parsed.inputs[2].optional);
  EXPECT_TRUE(parsed.inputs[2].variadic);
  ASSERT_EQ(parsed.outputs.size(), 3u);
  EXPECT_EQ(parsed.outputs[1].kind, Formal::Kind::sequence);
  EXPECT_EQ(parsed.outputs[2].kind, Formal::Kind::optional);
  EXPECT_TRUE(parsed.outputs[2].optional);
  EXPECT_EQ(parsed.outputs[2].letter, 0);
}

TEST(SignatureTest, ReadsAttributes) {
  const Signature parsed = parse_signature(
      "-> x:bool",
      "a:int=-2 b:float=1e-05 c:text=NOTSET d:ints=[0,2] e:texts=[Tanh,Relu] f:floats! g:graph",
      "");
  ASSERT_EQ(parsed.attributes.size(), 7u);
  EXPECT_EQ(std::get<std::int64_t>(*parsed.attributes[0].fallback), -2);
  EXPECT_EQ(std::get<float>(*parsed.attributes[1].fallback), 1e-5f);
  EXPECT_EQ(std::get<std::string>(*parsed.attributes[2].fallback), "NOTSET");
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(*parsed.attributes[3].fallback),
              ::testing::ElementsAre(0, 2));
  EXPECT_THAT(std::get<std::vector<std::string>>(*parsed.attributes[4].fallback),
              ::testing::ElementsAre("Tanh", "Relu"));
  EXPECT_TRUE(parsed.attributes[5].required);
  EXPECT_FALSE(parsed.attributes[6].fallback);
}

TEST(SignatureTest, RefusesTextsThatBreakTheForm) {
  for (const char* text : {"x:T", "x -> y:bool", "x:Q -> y:bool", "x:bool* z:bool -> y:bool",
                           "x:map(bool) -> y:bool"}) {
    EXPECT_THROW(parse_signature(text, "", "T=float"), Error) << text;
  }
  for (const char* text : {"a", "a:number", "a:int=two", "a:int=1x", "a:ints=1", "a:tensor=1"}) {
    EXPECT_THROW(parse_signature("-> y:bool", text, ""), Error) << text;
  }
  EXPECT_THROW(parse_type_set("float32|floaty"), Error);
}

TEST(SignatureTest, AVariadicFormalTakesAllThatFollows) {
  const Signature parsed = parse_signature("a:bool b:int64* -> c:bool", "", "");
  EXPECT_EQ(formal_at(parsed.inputs, 0)->name, "a");
  EXPECT_EQ(formal_at(parsed.inputs, 7)->name, "b");
  EXPECT_EQ(formal_at(parsed.outputs, 1), nullptr);
}

TEST(SignatureTest, ChecksAttributesAndSetsDefaults) {
  const Signature parsed = parse_signature("-> y:bool", "axis:int=3 size:int! seed:float", "");
  Attributes attributes;
  attributes.set("size", std::int64_t{5});
  check_attributes("Op", parsed, attributes);
  EXPECT_EQ(attributes.get_int("axis", 0), 3);
  EXPECT_FALSE(attributes.has("seed"));

  Attributes lacking;
  EXPECT_THAT(error_of([&] { check_attributes("Op", parsed, lacking); }),
              HasSubstr("[Op] attribute \"size\" is required and missing"));
  attributes.set("seed", std::int64_t{1});
  EXPECT_THAT(error_of([&] { check_attributes("Op", parsed, attributes); }),
              HasSubstr("\"seed\" is of kind float, not int"));
  attributes.remove("seed");
  attributes.set("sede", 1.0f);
  EXPECT_THAT(error_of([&] { check_attributes("Op", parsed, attributes); }),
              HasSubstr("has no attribute \"sede\""));
}

}  // namespace
}  // namespace switchyard
