#include <switchyard/io.hpp>

#include "io/host_value.hpp"
#include "io/npy.hpp"

namespace switchyard {

void save_npy(const std::filesystem::path& path, const Tensor& tensor) {
  write_npy(path, literal_of(tensor));
}

Tensor load_npy(const std::filesystem::path& path) { return host_value(read_npy(path)); }

}  // namespace switchyard
