#include "device/interruption.hpp"

#include <switchyard/error.hpp>

namespace switchyard {

void Interruption::check_now() const {
  if (token_ && token_->is_cancelled()) {
    throw Error(ErrorKind::cancelled, "the run was cancelled by its caller");
  }
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
    throw Error(ErrorKind::deadline,
                "the run has passed its deadline; give it more time, or a smaller input");
  }
}

}  // namespace switchyard
