// Attention with keys that are hidden, and numbers that are none.
#include "attention_forms.hpp"

namespace mps::program_tests {
namespace {

// What every head and every entry of the batch has in common: a row's number where `is_seen`, else
// negative infinity.
template <typename T>
std::vector<T> hidden(int64_t queries, int64_t keys,
                      const std::function<bool(int64_t row, int64_t key)>& is_seen) {
  std::vector<T> mask;
  for (int64_t row = 0; row < queries; ++row) {
    for (int64_t key = 0; key < keys; ++key) mask.emplace_back(is_seen(row, key) ? 0 : -infinity);
  }
  return mask;
}

template <typename T>
Model hiding(const Form& form, const std::function<bool(int64_t row, int64_t key)>& is_seen) {
  return plain<T>(form, [&](Model& model, Id x, const Shape& shape) {
    const Id mask = model.input(contiguous({form.queries, form.keys}),
                                hidden<T>(form.queries, form.keys, is_seen));
    return model.node("Add", {x, mask}, shape);
  });
}

TEST(Attention, HidesWhatIsToCome) {
  const auto causal = [](int64_t row, int64_t key) { return key <= row; };
  for (const int64_t length : {5, 64, 70}) {
    expect_attention(hiding<float>({length, length, 8, 8}, causal));
    expect_attention(hiding<half>({length, length, 80, 80}, causal), half_tolerance);
  }
}

TEST(Attention, HidesWholeTiles) {
  for (const int64_t depth : {8, 80, 200}) {
    const Form form{5, 130, depth, depth, {2}};
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key >= 100; }));
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key == 40; }));
    expect_attention(hiding<float>(form, [](int64_t, int64_t key) { return key < 3; }));
  }
}

TEST(Attention, OfNothingIsNan) {
  const auto is_seen = [](int64_t row, int64_t key) { return row % 3 != 1 && key > 2; };
  for (const int64_t keys : {3, 33, 130}) {
    Model model = hiding<float>({7, keys, 8, 8, {2}}, is_seen);
    const OpenStream stream(device());
    const Bytes bytes = model.whole(stream)[0];
    for (size_t i = 0; i < bytes.size() / 4; ++i) {
      float number;
      std::memcpy(&number, &bytes[4 * i], 4);
      const bool is_hidden = i / 8 % 7 % 3 == 1 || keys == 3;
      ASSERT_EQ(std::isnan(number), is_hidden) << keys << " keys, element " << i;
    }
    expect_attention(std::move(model));
  }
  expect_attention(hiding<half>({7, 33, 8, 8, {2}}, is_seen), half_tolerance);
}

// NaN and infinities at some positions of one of the inputs.
TEST(Attention, HandsOnNanAndInfinity) {
  for (const int64_t keys : {33, 130}) {
    for (size_t which = 0; which < 4; ++which) {
      for (const float wild : {nan, infinity, -infinity}) {
        SCOPED_TRACE(sy::text(keys, " keys, input ", which, ", ", wild));
        const Form form{7, keys, 8, 8, {2}};
        const Shape shapes[] = {form.query(), form.key(), form.value(), form.scores()};
        Model model;
        std::vector<Id> inputs;
        for (size_t i = 0; i < 4; ++i) {
          std::vector<float> given = elements<float>(shapes[i], static_cast<uint32_t>(i));
          if (i == which) given[19] = given[given.size() - 5] = wild;
          inputs.push_back(model.input(contiguous(shapes[i]), given));
        }
        model.output(attended(model, form, inputs[0], inputs[1], inputs[2],
                              [&](Model&, Id x, const Shape& shape) {
                                return model.node("Add", {x, inputs[3]}, shape);
                              }));
        expect_attention(std::move(model));
      }
    }
  }
}

// A weight of 0 times infinity is NaN, also where only later keys make it 0.
TEST(Attention, OfInfiniteValuesThatNobodySees) {
  const Form form{3, 130, 4, 4, {}};
  for (const size_t key : {size_t{0}, size_t{129}}) {
    Model model;
    std::vector<float> values = elements<float>(form.value(), 3);
    values[4 * key] = infinity;
    std::vector<float> mask(130);
    mask[key] = -500;
    const Id q = given<float>(model, form.query(), 1);
    const Id k = given<float>(model, form.key(), 2);
    const Id v = model.input(contiguous(form.value()), values);
    model.output(attended(model, form, q, k, v, [&](Model&, Id x, const Shape& shape) {
      return model.node("Add", {x, model.input(contiguous({130}), mask)}, shape);
    }));
    expect_attention(std::move(model));
  }
}

// Each of so many keys moves the mean by less than a float32 of the mean's size tells apart.
TEST(Attention, OfManyKeysKeepsItsDigits) {
  const Form form{1, 300'001, 4, 4, {}};
  Model model;
  const Id q = given<float>(model, form.query(), 1);
  const auto count = static_cast<size_t>(4 * form.keys);
  const Id k = model.input(contiguous(form.key()), std::vector<float>(count, 0.0f));
  const Id v = model.input(contiguous(form.value()), std::vector<float>(count, 0.1f));
  model.output(attended(model, form, q, k, v));
  const OpenStream stream(device());
  const Bytes bytes = model.whole(stream)[0];
  for (size_t i = 0; i < bytes.size() / 4; ++i) {
    float number;
    std::memcpy(&number, &bytes[4 * i], 4);
    EXPECT_NEAR(number, 0.1f, 2e-7f);
  }
}

TEST(Attention, OfTheLargestValuesStaysFinite) {
  const Form form{3, 130, 4, 4, {}};
  Model model;
  const Id q = given<float>(model, form.query(), 1, 0.1f);
  const Id k = given<float>(model, form.key(), 2);
  const Id v = model.input(contiguous(form.value()), std::vector<float>(520, 3e38f));
  model.output(attended(model, form, q, k, v));
  expect_attention(std::move(model));
}

TEST(Attention, OfScoresThatLieFarApart) {
  const Form form{7, 130, 8, 8, {2}};
  Model model;
  const Id q = given<float>(model, form.query(), 1, 100);
  const Id k = given<float>(model, form.key(), 2, 100);
  model.output(attended(model, form, q, k, given<float>(model, form.value(), 3)));
  expect_attention(std::move(model), 1e-3);
}

}  // namespace
}  // namespace mps::program_tests
