/// The wires of the host: what it asks, and what it is answered. carried_calls.hpp says what a wire
/// is. What the server answers is not to be trusted: all is checked before it is used.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "plugin_loader/isolation/carried_calls.hpp"
#include "plugin_loader/isolation/carried_start.hpp"
#include "plugin_loader/isolation/element.hpp"
#include "plugin_loader/isolation/message.hpp"
#include "plugin_loader/isolation/proxies.hpp"
#include "plugin_loader/isolation/scratch.hpp"

namespace switchyard::isolation {

/// What a call of the host's needs besides its args.
struct CallContext {
  std::string_view subject = {};        // "Add": what it is about, for messages
  const ProxyKernel* kernel = nullptr;  // a run's
  const sy_output_allocator* allocator = nullptr;
  const sy_writer* writer = nullptr;
  ProxyStream* stream = nullptr;                        // whose progress the answer tells
  std::optional<std::chrono::milliseconds> limit = {};  // instead of the plugin's deadline
};

/// What isolation cannot carry.
class NotCarried : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RequestWriter {
 public:
  RequestWriter(Room& room, const Child& child, const CallContext& context)
      : writer_(room), child_(child), context_(context) {}

  std::size_t size() const noexcept { return writer_.size(); }

  template <typename... Fields>
  void in(const Fields&... fields) {
    (writer_.put(fields), ...);
  }
  template <typename... Fields>
  void out(const Fields&...) {}

  void device(sy_device handle) { writer_.put(remote_of(as_proxy<ProxyDevice>(handle), child_)); }
  void stream(sy_stream handle) { writer_.put(remote_of(as_proxy<ProxyStream>(handle), child_)); }
  void event(sy_event handle) { writer_.put(remote_of(as_proxy<ProxyEvent>(handle), child_)); }
  void kernel(sy_kernel handle) { writer_.put(remote_of(as_proxy<ProxyKernel>(handle), child_)); }
  void constant(sy_constant handle) {
    writer_.put(remote_of(as_proxy<ProxyConstant>(handle), child_));
  }
  void storage(std::uint64_t handle) { writer_.put(remote_storage(handle, child_)); }
  template <typename Handle>
  void made(const Handle&) {}

  void text(const char* text) {
    const std::uint64_t bytes = text == nullptr ? 0 : std::strlen(text) + 1;
    writer_.put(bytes);
    writer_.put_bytes(text, bytes, 1);
  }
  void texts(const char* const* all, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) text(all[i]);
  }
  template <typename Element>
  void array(const Element* elements, std::uint64_t count) {
    if (count == 0) return;
    writer_.put<std::uint8_t>(elements != nullptr);
    if (elements != nullptr) writer_.put_bytes(elements, count * sizeof(Element), alignof(Element));
  }
  template <typename Struct, typename... More>
  void structs(const Struct* elements, std::uint64_t count, const More&... more) {
    for (std::uint64_t i = 0; i < count; ++i) {
      carry(*this, element(elements, i), more...);
    }
  }
  template <typename Size>
  void bytes(const void* data, Size&& size) {
    writer_.put<std::uint8_t>(data != nullptr);
    if (data == nullptr) return;
    const std::uint64_t count = size();
    writer_.put(count);
    writer_.put_bytes(data, count, kMessageAlignment);
  }
  template <typename Element, std::size_t Count>
  void in_characters(const Element (&elements)[Count]) {
    writer_.put_bytes(elements, sizeof(elements), alignof(Element));
  }
  void tensors(const sy_tensor* elements, std::uint32_t count, bool are_inputs) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool in_host_memory =
          are_inputs && context_.kernel != nullptr && context_.kernel->reads_host_memory(i);
      writer_.put<std::uint8_t>(in_host_memory);
      carry(*this, element(elements, i), in_host_memory);
    }
  }
  template <typename Element>
  void inout_array(const Element* elements, std::uint64_t count) {
    array(elements, count);
  }

  template <typename Element>
  void room(const Element*, std::uint64_t) {}
  template <typename Element>
  void filled(const Element*, std::uint64_t) {}
  template <typename Struct>
  void out_structs(const Struct*, std::uint64_t) {}
  template <typename Element, std::size_t Count>
  void out_characters(const Element (&)[Count]) {}
  void given_text(const char*) {}
  template <typename Element>
  void given_array(const Element*, std::uint32_t) {}
  template <typename Struct>
  void given_structs(const Struct*, std::uint32_t) {}
  void counter(const volatile std::uint64_t*) {}
  void host(const sy_host*) {}
  void listener(const sy_device_listener*) {}

  void writer(const sy_writer* writer) { writer_.put<std::uint8_t>(writer != nullptr); }
  void allocator(const sy_output_allocator* given) { writer_.put<std::uint8_t>(given != nullptr); }
  void launch(const sy_extension* chain) {
    while (chain != nullptr && chain->kind != SY_EXTENSION_LAUNCH) chain = chain->next;
    writer_.put<std::uint8_t>(chain != nullptr);
    if (chain == nullptr) return;
    sy_launch launch = *reinterpret_cast<const sy_launch*>(chain);
    carry(*this, launch);
  }
  [[noreturn]] void refuse(const char* what) { throw NotCarried(what); }

 private:
  MessageWriter writer_;
  const Child& child_;
  const CallContext& context_;
};

class AnswerReader {
 public:
  /// `scratch` is for what the callee gives; calls whose args have no such fields need none.
  explicit AnswerReader(MessageReader reader, Scratch* scratch = nullptr)
      : reader_(reader), scratch_(scratch) {}

  template <typename... Fields>
  void in(const Fields&...) {}
  template <typename... Fields>
  void out(Fields&... fields) {
    ((fields = reader_.take<Fields>()), ...);
  }
  template <typename Handle>
  void made(Handle& handle) {
    handle = reinterpret_cast<Handle>(reader_.take<std::uint64_t>());
  }

  void device(sy_device) {}
  void stream(sy_stream) {}
  void event(sy_event) {}
  void kernel(sy_kernel) {}
  void constant(sy_constant) {}
  void storage(std::uint64_t) {}
  void text(const char*) {}
  void texts(const char* const*, std::uint64_t) {}
  template <typename Element>
  void array(const Element*, std::uint64_t) {}
  template <typename Struct, typename... More>
  void structs(const Struct*, std::uint64_t, const More&...) {}
  template <typename Size>
  void bytes(const void*, Size&&) {}
  template <typename Element, std::size_t Count>
  void in_characters(const Element (&)[Count]) {}
  void tensors(const sy_tensor*, std::uint32_t, bool) {}

  template <typename Element>
  void room(Element*, std::uint64_t) {}
  template <typename Element>
  void filled(Element* elements, std::uint64_t count) {
    if (count == 0) return;
    std::memcpy(elements, reader_.view_array(count, sizeof(Element), alignof(Element)),
                count * sizeof(Element));
  }
  template <typename Element>
  void inout_array(Element* elements, std::uint64_t count) {
    filled(elements, count);
  }
  template <typename Struct>
  void out_structs(Struct* elements, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) carry(*this, element(elements, i));
  }
  template <typename Element, std::size_t Count>
  void out_characters(Element (&elements)[Count]) {
    std::memcpy(elements, reader_.view(sizeof(elements), alignof(Element)), sizeof(elements));
    if constexpr (std::is_same_v<Element, char>) elements[Count - 1] = '\0';
  }
  void given_text(const char*& text) {
    const auto bytes = reader_.take<std::uint64_t>();
    if (bytes == 0) return void(text = nullptr);
    text = reinterpret_cast<const char*>(reader_.view_array(bytes, 1, 1));
    if (text[bytes - 1] != '\0') throw BadMessage("a text without an end");
  }
  template <typename Element>
  void given_array(const Element*& elements, std::uint32_t& count) {
    elements = nullptr;
    count = reader_.take<std::uint32_t>();
    if (reader_.take<std::uint8_t>() == 0) return;
    elements = reinterpret_cast<const Element*>(
        reader_.view_array(count, sizeof(Element), alignof(Element)));
  }
  template <typename Struct>
  void given_structs(const Struct*& elements, std::uint32_t& count) {
    count = reader_.take<std::uint32_t>();
    // Each takes a quarter of its size in a message at the least, so that none makes the host take
    // much more memory than it has itself.
    if (count > reader_.left() / (sizeof(Struct) / 4)) {
      throw BadMessage("more elements than there are bytes");
    }
    Struct* const made = scratch_->array<Struct>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      set_size(made[i]);
      carry(*this, made[i]);
    }
    elements = made;
  }
  void counter(const volatile std::uint64_t*) {}
  void host(const sy_host*) {}
  void listener(const sy_device_listener*) {}
  void writer(const sy_writer*) {}
  void allocator(const sy_output_allocator*) {}
  void launch(const sy_extension*) {}
  void refuse(const char*) {}

 private:
  MessageReader reader_;
  Scratch* scratch_;
};

}  // namespace switchyard::isolation
