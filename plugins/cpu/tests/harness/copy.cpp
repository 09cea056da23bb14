#include "harness/harness.hpp"
#include "harness/open_plugin.hpp"
#include "switchyard/plugin/shape.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {

void copy_through_plugin(const Value& source, Value& destination) {
  const auto region = [](const Value& value) {
    sy_region made{};
    made.struct_size = sizeof(made);
    made.handle = reinterpret_cast<uintptr_t>(value.bytes.data());
    made.offset_bytes = static_cast<uint64_t>(value.offset) * sy::dtype_bytes(value.dtype);
    made.strides = value.is_strided() ? value.strides.data() : nullptr;
    return made;
  };
  const sy_region from = region(source);
  const sy_region to = region(destination);
  sy_copy_args args{};
  args.dtype = source.dtype;
  args.device = device();
  args.stream = stream();
  args.source = &from;
  args.destination = &to;
  args.shape = source.shape.data();
  args.rank = static_cast<uint32_t>(source.shape.size());
  call(plugin().copy, args);
}

}  // namespace cpu::testing
