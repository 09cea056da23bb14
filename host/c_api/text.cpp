#include "c_api/text.hpp"

#include <switchyard/switchyard.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace switchyard::c_api {

char* text_for_caller(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace switchyard::c_api

void swy_text_release(char* text) { std::free(text); }
