#include "machine/host_log.hpp"

namespace cpu {

sy::KeptLog& host_log() {
  static constinit sy::KeptLog log;
  return log;
}

}  // namespace cpu
