/// @file
/// Data sets in files.
#pragma once

#include <filesystem>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// An IDX file, the form of MNIST and the like: uint8, int8, int16, int32, float32 or float64 of
/// any shape; plain or packed by gzip. Gives a host value. Throws Error(not_found) or Error(io) for
/// a file that cannot be read, and Error(model) that names the file and what is wrong in it.
[[nodiscard]] SWITCHYARD_API Tensor read_idx(const std::filesystem::path& path);

/// Grey pictures and the class of each.
struct LabelledImages {
  Tensor images;  ///< uint8 [N, rows, columns]
  Tensor labels;  ///< uint8 [N]
};

/// The four files of MNIST, or of a set in its form, in `folder`: PREFIX-images-idx3-ubyte and
/// PREFIX-labels-idx1-ubyte, with or without .gz, where PREFIX is `train`, or `t10k` for the test
/// pictures. Gives host values. Throws Error(not_found) for a file that is missing, and
/// Error(model) for files that are damaged or do not belong together.
[[nodiscard]] SWITCHYARD_API LabelledImages mnist(const std::filesystem::path& folder,
                                                  Flag train = true);

/// Fashion-MNIST: 60,000 pictures of 28 x 28 to train, 10,000 to test, 10 classes. An empty
/// `folder` means that of the environment variable FASHION_MNIST, or else of Debian's package
/// dataset-fashion-mnist. Throws as mnist() does.
[[nodiscard]] SWITCHYARD_API LabelledImages fashion_mnist(const std::filesystem::path& folder = {},
                                                          Flag train = true);

}  // namespace switchyard
