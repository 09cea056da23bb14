// DLPack's structs, those of version 1 too where the header at hand does not have them (Debian
// 12's is of version 0.6): their layout is a public ABI.
#pragma once

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>

#ifndef DLPACK_MAJOR_VERSION

struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};

struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

#endif

namespace switchyard {

inline constexpr std::uint8_t kDLPackBool = 6;  // kDLBool, of version 0.8 and later
inline constexpr std::uint64_t kDLPackReadOnly = std::uint64_t{1} << 0U;
inline constexpr std::uint64_t kDLPackIsCopied = std::uint64_t{1} << 1U;

// A different major number is another layout, of all but the version and the deleter.
inline constexpr std::uint32_t kDLPackMajor = 1;

static_assert(sizeof(DLPackVersion) == 8);
static_assert(sizeof(void*) != 8 || (offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
                                     offsetof(DLManagedTensorVersioned, deleter) == 16 &&
                                     offsetof(DLManagedTensorVersioned, flags) == 24 &&
                                     offsetof(DLManagedTensorVersioned, dl_tensor) == 32 &&
                                     sizeof(DLManagedTensorVersioned) == 80));
static_assert(sizeof(void*) != 8 || sizeof(DLTensor) == 48);

}  // namespace switchyard
