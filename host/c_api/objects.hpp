// The counted objects behind the opaque types of the C API.
#pragma once

#include <switchyard/switchyard.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <switchyard/cancellation.hpp>
#include <switchyard/device.hpp>
#include <switchyard/host_view.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>
#include <utility>

namespace switchyard::c_api {

/// A C++ object with a count of references, at first one: its maker's.
template <typename Value>
struct Counted {
  template <typename... Arguments>
  explicit Counted(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  std::atomic<std::uint32_t> references{1};
  Value value;
};

template <typename Object>
void retain(Object* object) noexcept {
  if (object) object->references.fetch_add(1, std::memory_order_relaxed);
}

/// The last reference takes the object with it, which sees what all threads did to it.
template <typename Object>
void release(Object* object) noexcept {
  if (object && object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

}  // namespace switchyard::c_api

struct swy_runtime final : switchyard::c_api::Counted<switchyard::Runtime> {
  using Counted::Counted;
};
struct swy_device final : switchyard::c_api::Counted<switchyard::Device> {
  using Counted::Counted;
};
struct swy_tensor final : switchyard::c_api::Counted<switchyard::Tensor> {
  using Counted::Counted;
};
struct swy_mapping final : switchyard::c_api::Counted<switchyard::HostView<std::byte>> {
  using Counted::Counted;
};
struct swy_cancellation_token final : switchyard::c_api::Counted<switchyard::CancellationToken> {
  using Counted::Counted;
};
