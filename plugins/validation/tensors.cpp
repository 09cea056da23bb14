#include "tensors.hpp"

namespace validation {

bool check_form(Call& call, const std::string& which, sy_dtype dtype, uint32_t rank,
                const int64_t* shape, const int64_t* strides) {
  if (sy::dtype_bits(dtype) == 0) {
    call.violation(Rule::args, which, " is of type ", dtype, ", which there is not");
    return false;
  }
  if (rank > SY_MAX_RANK || (rank != 0 && shape == nullptr)) {
    call.violation(Rule::args, which, " has rank ", rank, shape == nullptr ? " and no shape" : "");
    return false;
  }
  const sy::Extents extents(shape, rank);
  if (!sy::is_known(extents)) {
    call.violation(Rule::args, which, " has shape ", extents);
    return false;
  }
  if (sy::is_sub_byte(dtype) && !sy::is_contiguous(extents, strides)) {
    call.violation(Rule::args, which, " is of ", sy::dtype_name(dtype),
                   ", which is packed, and not contiguous");
    return false;
  }
  return true;
}

bool check_place(Call& call, const std::string& which, const Storage& storage,
                 const Elements& elements) {
  if (storage.mappings != 0) {
    call.violation(Rule::map, which, " lies in storage ", storage.id, ", which is mapped");
  }
  if (elements.is_empty()) return true;
  if (elements.offset_bytes <= storage.size && elements.first() >= 0 &&
      elements.end() <= static_cast<int64_t>(storage.size)) {
    return true;
  }
  call.violation(Rule::bounds, which, " takes bytes ", elements.first(), " to ", elements.end(),
                 " of storage ", storage.id, ", which has ", storage.size);
  return false;
}

}  // namespace validation
