/// The wires of the server: what it is asked, and what it answers. carried_calls.hpp says what a
/// wire is. What the host asks is read where it lies.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "plugin_loader/isolation/carried_calls.hpp"
#include "plugin_loader/isolation/carried_start.hpp"
#include "plugin_loader/isolation/element.hpp"
#include "plugin_loader/isolation/message.hpp"
#include "plugin_loader/isolation/scratch.hpp"

namespace switchyard::isolation {

/// A stream as the host's handle names it.
struct ServedStream {
  sy_stream stream;
  const volatile std::uint64_t* completed;  // null: the plugin is asked
};

/// What calls are given that is the server's own.
struct ServedContext {
  const sy_host* host = nullptr;
  const sy_device_listener* listener = nullptr;
  const sy_writer* writer = nullptr;
  const sy_output_allocator* allocator = nullptr;
  const ServedStream* stream = nullptr;  // out: the one that the call names
};

class RequestReader {
 public:
  RequestReader(MessageReader reader, Scratch& scratch, ServedContext& context)
      : reader_(reader), scratch_(scratch), context_(context) {}

  template <typename... Fields>
  void in(Fields&... fields) {
    ((fields = reader_.take<Fields>()), ...);
  }
  template <typename... Fields>
  void out(Fields&...) {}

  void device(sy_device& handle) { take(handle); }
  void event(sy_event& handle) { take(handle); }
  void kernel(sy_kernel& handle) { take(handle); }
  void constant(sy_constant& handle) { take(handle); }
  void storage(std::uint64_t& handle) { handle = reader_.take<std::uint64_t>(); }
  void stream(sy_stream& handle) {
    take(handle);
    if (handle == nullptr) return;
    context_.stream = reinterpret_cast<const ServedStream*>(handle);
    handle = context_.stream->stream;
  }
  template <typename Handle>
  void made(Handle&) {}

  void text(const char*& text) {
    const auto bytes = reader_.take<std::uint64_t>();
    text = bytes == 0 ? nullptr : reinterpret_cast<const char*>(reader_.view(bytes, 1));
  }
  void texts(const char* const*& all, std::uint64_t count) {
    const char** const made = scratch_.array<const char*>(count);
    for (std::uint64_t i = 0; i < count; ++i) text(made[i]);
    all = made;
  }
  template <typename Element>
  void array(const Element*& elements, std::uint64_t count) {
    elements = nullptr;
    if (count == 0 || reader_.take<std::uint8_t>() == 0) return;
    elements = reinterpret_cast<const Element*>(
        reader_.view_array(count, sizeof(Element), alignof(Element)));
  }
  template <typename Struct, typename... More>
  void structs(const Struct*& elements, std::uint64_t count, const More&... more) {
    Struct* const made = sized<Struct>(count);
    for (std::uint64_t i = 0; i < count; ++i) carry(*this, made[i], more...);
    elements = made;
  }
  template <typename Size>
  void bytes(const void*& data, Size&&) {
    data = nullptr;
    if (reader_.take<std::uint8_t>() == 0) return;
    const auto count = reader_.take<std::uint64_t>();
    data = reader_.view(count, kMessageAlignment);
  }
  template <typename Element, std::size_t Count>
  void in_characters(Element (&elements)[Count]) {
    std::memcpy(elements, reader_.view(sizeof(elements), alignof(Element)), sizeof(elements));
  }
  void tensors(const sy_tensor*& elements, std::uint32_t count, bool) {
    sy_tensor* const made = sized<sy_tensor>(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool in_host_memory = reader_.take<std::uint8_t>() != 0;
      carry(*this, made[i], in_host_memory);
    }
    elements = made;
  }
  template <typename Element>
  void inout_array(Element*& elements, std::uint64_t count) {
    const Element* before = nullptr;
    array(before, count);
    elements = scratch_.array<Element>(count);
    if (before != nullptr) std::memcpy(elements, before, count * sizeof(Element));
  }

  template <typename Element>
  void room(Element*& elements, std::uint64_t count) {
    elements = scratch_.array<Element>(count);
  }
  template <typename Element>
  void filled(Element*, std::uint64_t) {}
  template <typename Struct>
  void out_structs(Struct*& elements, std::uint64_t count) {
    elements = sized<Struct>(count);
    for (std::uint64_t i = 0; i < count; ++i) carry(*this, elements[i]);
  }
  template <typename Element, std::size_t Count>
  void out_characters(Element (&)[Count]) {}
  void given_text(const char*&) {}
  template <typename Element>
  void given_array(const Element*&, std::uint32_t&) {}
  template <typename Struct>
  void given_structs(const Struct*&, std::uint32_t&) {}
  void counter(const volatile std::uint64_t*&) {}
  void host(const sy_host*& host) { host = context_.host; }
  void listener(const sy_device_listener*& listener) { listener = context_.listener; }

  void writer(const sy_writer*& writer) {
    writer = reader_.take<std::uint8_t>() != 0 ? context_.writer : nullptr;
  }
  void allocator(const sy_output_allocator*& allocator) {
    allocator = reader_.take<std::uint8_t>() != 0 ? context_.allocator : nullptr;
  }
  void launch(const sy_extension*& chain) {
    chain = nullptr;
    if (reader_.take<std::uint8_t>() == 0) return;
    auto* const launch = scratch_.array<sy_launch>(1);
    carry(*this, *launch);
    chain = &launch->link;
  }
  void refuse(const char* what) { throw BadMessage(what); }

 private:
  template <typename Handle>
  void take(Handle& handle) {
    handle = reinterpret_cast<Handle>(reader_.take<std::uint64_t>());
  }
  template <typename Struct>
  Struct* sized(std::uint64_t count) {
    Struct* const made = scratch_.array<Struct>(count);
    for (std::uint64_t i = 0; i < count; ++i) set_size(made[i]);
    return made;
  }

  MessageReader reader_;
  Scratch& scratch_;
  ServedContext& context_;
};

class AnswerWriter {
 public:
  explicit AnswerWriter(MessageWriter& writer) : writer_(writer) {}

  template <typename... Fields>
  void in(const Fields&...) {}
  template <typename... Fields>
  void out(const Fields&... fields) {
    (writer_.put(fields), ...);
  }
  template <typename Handle>
  void made(Handle handle) {
    writer_.put(reinterpret_cast<std::uint64_t>(handle));
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
  void room(const Element*, std::uint64_t) {}
  template <typename Element>
  void filled(const Element* elements, std::uint64_t count) {
    writer_.put_bytes(elements, count * sizeof(Element), alignof(Element));
  }
  template <typename Element>
  void inout_array(const Element* elements, std::uint64_t count) {
    filled(elements, count);
  }
  template <typename Struct>
  void out_structs(const Struct* elements, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) carry(*this, element(elements, i));
  }
  template <typename Element, std::size_t Count>
  void out_characters(const Element (&elements)[Count]) {
    writer_.put_bytes(elements, sizeof(elements), alignof(Element));
  }
  void given_text(const char* text) {
    const std::uint64_t bytes = text == nullptr ? 0 : std::strlen(text) + 1;
    writer_.put(bytes);
    writer_.put_bytes(text, bytes, 1);
  }
  template <typename Element>
  void given_array(const Element* elements, std::uint32_t count) {
    writer_.put(count);
    writer_.put<std::uint8_t>(elements != nullptr);
    if (elements != nullptr) writer_.put_bytes(elements, count * sizeof(Element), alignof(Element));
  }
  template <typename Struct>
  void given_structs(const Struct* elements, std::uint32_t count) {
    writer_.put(count);
    for (std::uint32_t i = 0; i < count; ++i) carry(*this, element(elements, i));
  }
  void counter(const volatile std::uint64_t*) {}
  void host(const sy_host*) {}
  void listener(const sy_device_listener*) {}
  void writer(const sy_writer*) {}
  void allocator(const sy_output_allocator*) {}
  void launch(const sy_extension*) {}
  void refuse(const char*) {}

 private:
  MessageWriter& writer_;
};

}  // namespace switchyard::isolation
