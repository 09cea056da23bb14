// What no memory holds is an Error(out_of_memory), said before any work whose length the caller
// chose.
#include <gtest/gtest.h>

#include <functional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 40, kMost = INT64_MAX;

struct Call {
  const char* name;
  std::function<void()> call;
};

Tensor shown_often() { return ones({1}).expand({kHuge}); }
Tensor image() { return ones({1, 1, 2, 2}); }

const Call kCalls[] = {
    {"linspace", [] { linspace(0, 1, kHuge); }},
    {"linspace of the largest number", [] { linspace(0, 1, kMost); }},
    {"chunk", [] { ones({0}).chunk(kHuge); }},
    {"split", [] { shown_often().split(1); }},
    {"unbind", [] { shown_often().unbind(); }},
    {"multinomial", [] { multinomial(shown_often(), 1); }},
    {"to_vector", [] { shown_often().to_vector<float>(); }},
    {"to_vector of bools", [] { tensor({true}).expand({kHuge}).to_vector<bool>(); }},
    {"an attribute",
     [] {
       current_runtime().operation("Constant", {{"value", shown_often()}});
     }},
    {"adaptive_avg_pool2d of rows",
     [] {
       adaptive_avg_pool2d(image(), {kHuge, 1});
     }},
    {"adaptive_avg_pool2d of columns",
     [] {
       adaptive_avg_pool2d(image(), {1, kHuge});
     }},
    {"adaptive_avg_pool2d of the largest number",
     [] {
       adaptive_avg_pool2d(image(), {kMost, kMost});
     }},
    {"index_select", [] { index_select(ones({1}), 0, tensor({0}).expand({kHuge})); }},
    {"gather", [] { gather(ones({1}), 0, tensor({0}).expand({kHuge})); }},
    {"contiguous", [] { shown_often().contiguous(); }},
};

TEST(Room, IsAskedForBeforeTheWork) {
  for (const Call& tried : kCalls) {
    SCOPED_TRACE(tried.name);
    try {
      tried.call();
      ADD_FAILURE() << "throws nothing";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::out_of_memory) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "throws another exception: " << error.what();
    }
  }
}

}  // namespace
}  // namespace switchyard
