// Changes to a text by position; line ends stay.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mps::software {

class Edits {
 public:
  void replace(size_t begin, size_t end, std::string text) {
    edits_.push_back({begin, end, std::move(text)});
  }
  void insert(size_t at, std::string text) { replace(at, at, std::move(text)); }

  std::string apply(std::string_view text) {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string result;
    size_t here = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < here) continue;  // within one that has been applied
      result.append(text.substr(here, edit.begin - here)).append(edit.text);
      for (const char c : text.substr(edit.begin, edit.end - edit.begin)) {
        if (c == '\n') result += c;
      }
      here = edit.end;
    }
    return result.append(text.substr(here));
  }

 private:
  struct Edit {
    size_t begin;
    size_t end;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace mps::software
