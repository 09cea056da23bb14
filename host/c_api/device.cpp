#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using namespace switchyard::c_api;

swy_status* swy_device_name(swy_device* device, const char** out_name) {
  return guarded([&] {
    const std::string& name = required(device, "device").value.name();
    required(out_name, "out_name") = name.c_str();
  });
}

swy_status* swy_device_equal(swy_device* a, swy_device* b, int* out_equal) {
  return guarded([&] {
    const switchyard::Device& first = required(a, "a").value;
    const switchyard::Device& second = required(b, "b").value;
    required(out_equal, "out_equal") = first == second ? 1 : 0;
  });
}

swy_status* swy_device_memory(swy_device* device, swy_memory* out_memory) {
  return guarded([&] {
    const switchyard::Device& asked = required(device, "device").value;
    swy_memory& out = required(out_memory, "out_memory");
    check_struct_size(out.struct_size, sizeof(out), "swy_memory");
    const switchyard::DeviceMemory memory = asked.memory();
    out.used_bytes = memory.used_bytes;
    out.peak_bytes = memory.peak_bytes;
    out.cached_bytes = memory.cached_bytes;
    out.allocations = memory.allocations;
    out.reuses = memory.reuses;
  });
}

swy_status* swy_device_synchronize(swy_device* device) {
  return guarded([&] { required(device, "device").value.synchronize(); });
}

swy_status* swy_device_empty_cache(swy_device* device, uint64_t* out_freed_bytes) {
  return guarded([&] {
    const std::size_t freed = required(device, "device").value.empty_cache();
    if (out_freed_bytes) *out_freed_bytes = freed;
  });
}

void swy_device_retain(swy_device* device) { retain(device); }
void swy_device_release(swy_device* device) { release(device); }
