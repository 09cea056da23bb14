// What a function may use: all words of its body, and of the bodies and values of what it names.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "software/translator/syntax.hpp"

namespace mps::software {

// The source outlives it.
class Reach {
 public:
  explicit Reach(const Syntax& syntax);
  // `name` is of a function, or of a variable outside functions.
  std::set<std::string_view> from(std::string_view name) const;

 private:
  std::map<std::string, std::set<std::string_view>, std::less<>> uses_;
};

}  // namespace mps::software
