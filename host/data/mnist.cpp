#include <switchyard/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <switchyard/data/mnist.hpp>

#include "io/file_error.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFashionFolder = "/usr/share/datasets/fashion-mnist";  // of Debian's package
constexpr const char* kFashionRemedy =
    "install the Debian package dataset-fashion-mnist, or name a folder that holds the files, as "
    "an argument or in the environment variable FASHION_MNIST";

/// The file in the folder, packed or not.
fs::path found_file(const fs::path& folder, const std::string& name, const std::string& remedy) {
  for (const char* ending : {"", ".gz"}) {
    std::error_code ignored;
    if (fs::path path = folder / (name + ending); fs::exists(path, ignored)) return path;
  }
  throw Error(ErrorKind::not_found, fmt::format("{}: there is no such file, nor with .gz; {}",
                                                (folder / name).string(), remedy));
}

void check_kind(const Tensor& tensor, std::size_t rank, const fs::path& path) {
  if (tensor.dtype() == DType::uint8 && tensor.shape().size() == rank) return;
  refuse(path.string(),
         fmt::format("it holds {} of shape [{}]; uint8 of rank {} belongs here",
                     name_of(tensor.dtype()), fmt::join(tensor.shape().span(), ", "), rank));
}

LabelledImages read_set(const fs::path& folder, Flag train, const std::string& remedy) {
  const std::string prefix = train ? "train" : "t10k";
  const fs::path images = found_file(folder, prefix + "-images-idx3-ubyte", remedy);
  const fs::path labels = found_file(folder, prefix + "-labels-idx1-ubyte", remedy);
  LabelledImages set{read_idx(images), read_idx(labels)};
  check_kind(set.images, 3, images);
  check_kind(set.labels, 1, labels);
  if (set.images.shape()[0] != set.labels.shape()[0]) {
    refuse(labels.string(), fmt::format("it has {} labels for {} pictures; the two files are of "
                                        "different sets",
                                        set.labels.shape()[0], set.images.shape()[0]));
  }
  return set;
}

}  // namespace

LabelledImages mnist(const fs::path& folder, Flag train) {
  return read_set(folder, train, "name a folder that holds the four files of MNIST");
}

LabelledImages fashion_mnist(const fs::path& folder, Flag train) {
  const char* chosen = std::getenv("FASHION_MNIST");
  const bool is_chosen = chosen != nullptr && *chosen != '\0';
  const fs::path usual = is_chosen ? chosen : kFashionFolder;
  return read_set(folder.empty() ? usual : folder, train, kFashionRemedy);
}

}  // namespace switchyard
