#pragma once

#include <switchyard/switchyard.h>

#include <memory>

namespace switchyard::c_api {

/// A caller's context, whose deleter (which may be null) is called once nothing holds it.
inline std::shared_ptr<void> keep_context(void* context, swy_deleter deleter) {
  return {context, [deleter](void* kept) {
            if (deleter) deleter(kept);
          }};
}

}  // namespace switchyard::c_api
