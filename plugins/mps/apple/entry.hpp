// Every way into this folder: what Apple's frameworks leave to be released goes when the call ends,
// and what they raise becomes a Failure.
#pragma once

#include "apple/frameworks.hpp"
#include "apple/text.hpp"

namespace mps::apple {

template <typename Call>
auto entry(Call&& call) -> decltype(call()) {
  @autoreleasepool {
    @try {
      return call();
    } @catch (NSException* exception) {
      refuse(utf8(exception.name) + ": " + utf8(exception.reason));
    }
  }
}

}  // namespace mps::apple
