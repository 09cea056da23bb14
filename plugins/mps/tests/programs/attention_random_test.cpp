// Attention of random sizes, batches and layouts, with whatever may stand between its products.
#include <random>

#include "attention_forms.hpp"

namespace mps::program_tests {
namespace {

class Chance {
 public:
  explicit Chance(uint32_t seed) : engine_(seed) {}

  uint32_t below(uint32_t end) { return engine_() % end; }
  bool half() { return below(2) == 0; }
  int64_t one_of(const std::vector<int64_t>& all) {
    return all[below(static_cast<uint32_t>(all.size()))];
  }
  // The shape, or one that broadcasts to it.
  Shape repeated(Shape shape, size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) shape[i] = below(4) == 0 ? 1 : shape[i];
    return shape;
  }
  template <typename T>
  Id input(Model& model, const Shape& shape, float scale = 1) {
    const std::vector<runtime_tests::View> views = runtime_tests::layouts(shape);
    return model.input(views[below(static_cast<uint32_t>(views.size()))],
                       elements<T>(shape, engine_(), scale));
  }

 private:
  std::mt19937 engine_;
};

template <typename T>
Id between(Chance& chance, Model& model, Id x, const Shape& shape) {
  const Id number = model.constant(Shape{}, std::vector<T>{T(chance.half() ? 1.6f : 0.3f)});
  switch (chance.below(4)) {
    case 0: x = model.node("Mul", {x, number}, shape); break;
    case 1: x = model.node("Mul", {number, x}, shape); break;
    case 2: x = model.node("Div", {x, number}, shape); break;
    default: break;
  }
  const Shape mask = chance.repeated(shape, 0, shape.size());
  if (chance.half()) {
    std::vector<Truth> truths;
    for (const float one : numbers(mask, chance.below(99))) truths.push_back(Truth{one > 0});
    const Id where = model.input(contiguous(mask), truths);
    const Id fill = model.constant(Shape{1}, std::vector<T>{T(chance.half() ? -infinity : -9.0f)});
    const bool fills_where = chance.half();
    x = model.node("Where", {where, fills_where ? fill : x, fills_where ? x : fill}, shape, {},
                   dtype<T>());
  }
  if (chance.half()) {
    const Id added = chance.input<T>(model, chance.repeated(shape, 0, shape.size()));
    x = chance.half() ? model.node("Add", {added, x}, shape) : model.node("Add", {x, added}, shape);
  }
  return x;
}

template <typename T>
Model random_attention(uint32_t seed) {
  Chance chance(seed);
  Form form;
  form.queries = chance.one_of({1, 2, 4, 5, 17, 32, 33});
  form.keys = chance.one_of({1, 16, 31, 32, 34, 65});
  form.depth = chance.one_of({1, 5, 63, 64, 65, 128, 129, 256});
  form.columns = chance.one_of({1, 7, 64, 100, 128, 130});
  form.batch = chance.half() ? Shape{2} : Shape{2, 3};
  Model model;
  const size_t axes = form.batch.size();
  const float small = 1 / std::sqrt(static_cast<float>(form.depth));
  // The keys have the whole batch, so that the scores have it.
  const Id q = chance.input<T>(model, chance.repeated(form.query(), 0, axes), small);
  const Id k = chance.input<T>(model, form.key());
  const Id v = chance.input<T>(model, chance.repeated(form.value(), 0, axes));
  const Id y = attended(model, form, q, k, v, [&](Model&, Id x, const Shape& shape) {
    return between<T>(chance, model, x, shape);
  });
  const std::vector<runtime_tests::View> views = runtime_tests::layouts(form.result());
  model.output(y, views[chance.below(static_cast<uint32_t>(views.size()))]);
  return model;
}

TEST(AttentionAtRandom, OfFloats) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_attention(random_attention<float>(seed));
  }
}

TEST(AttentionAtRandom, OfHalves) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_attention(random_attention<half>(seed), half_tolerance);
  }
}

}  // namespace
}  // namespace mps::program_tests
