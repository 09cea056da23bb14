/// @file
/// Tensors in files that other programs read and write: safetensors and numpy's .npy.
///
/// What is read are host values; Tensor::to brings them to a device. What is written may lie
/// anywhere: a save waits for its elements. Any thread may call these functions, of different files
/// at once. Files are written beside the one they replace and take its name only when they are
/// whole and on the disk: a save that is interrupted leaves what was there before.
///
/// A file that is damaged, or that holds what is not supported, is refused with Error(model) that
/// names the file, the tensor and what to do; one that the system does not let read or write with
/// Error(io), or Error(not_found) where it, or its folder, is not there.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What a safetensors file holds.
struct SafetensorsFile {
  std::map<std::string, Tensor> tensors;        ///< by name
  std::map<std::string, std::string> metadata;  ///< its "__metadata__"; empty if it has none
};

/// Writes the tensors as the reference implementation does, byte for byte but for the order of the
/// metadata, which is that of their keys. Types: bool, the integers of 8 to 64 bits, float16,
/// bfloat16, float32, float64, float8e4m3fn, float8e5m2, complex64. Throws Error(invalid_argument)
/// for any other type, for an empty Tensor, for the name "__metadata__" and for text that is not
/// UTF-8.
SWITCHYARD_API void save_safetensors(const std::filesystem::path& path,
                                     const std::map<std::string, Tensor>& tensors,
                                     const std::map<std::string, std::string>& metadata = {});

/// Reads a safetensors file. Refuses whatever the format forbids: a header that is not JSON,
/// longer than 100 MB or with a key twice, shapes that do not fit their bytes, bytes that two
/// tensors share or that none has.
[[nodiscard]] SWITCHYARD_API SafetensorsFile load_safetensors(const std::filesystem::path& path);

/// Writes a .npy file, format 1.0 (2.0 where the header is too long for it), little-endian, in C
/// order. bfloat16 and float8 are written as the ml_dtypes package does. Waits for the elements.
/// Errors are those above, and Error(invalid_argument) for a dtype that numpy does not have.
SWITCHYARD_API void save_npy(const std::filesystem::path& path, const Tensor& tensor);

/// Reads a .npy file of format 1.0, 2.0 or 3.0, either byte order, C or Fortran order: numbers,
/// bools, complex numbers and text. The result lies in C order.
[[nodiscard]] SWITCHYARD_API Tensor load_npy(const std::filesystem::path& path);

}  // namespace switchyard
