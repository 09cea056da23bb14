#include "apple/text.hpp"

namespace mps::apple {

std::string utf8(NSString* text) {
  const char* characters = text.UTF8String;
  return characters ? characters : "";
}

NSString* ns_string(std::string_view text) {
  NSString* result = [[NSString alloc] initWithBytes:text.data()
                                              length:text.size()
                                            encoding:NSUTF8StringEncoding];
  if (!result) refuse("a text is not UTF-8");
  return result;
}

std::string describe(NSError* error) {
  if (!error) return "Metal gives no reason";
  return utf8(error.localizedDescription) + " (" + utf8(error.domain) + " " +
         std::to_string(error.code) + ")";
}

void refuse(const std::string& message) { refuse(seam::Fault::invalid, message); }

void refuse(seam::Fault fault, const std::string& message) { throw seam::Failure(fault, message); }

}  // namespace mps::apple
