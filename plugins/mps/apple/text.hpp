// Texts and errors, from Objective-C's to ours and back.
#pragma once

#include <string>
#include <string_view>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

// Empty for nil.
std::string utf8(NSString* text);
// Throws Failure(invalid) if `text` is not UTF-8.
NSString* ns_string(std::string_view text);
// What an error says of itself, its domain and its code; never empty.
std::string describe(NSError* error);

[[noreturn]] void refuse(const std::string& message);  // Failure(invalid)
[[noreturn]] void refuse(seam::Fault fault, const std::string& message);

}  // namespace mps::apple
