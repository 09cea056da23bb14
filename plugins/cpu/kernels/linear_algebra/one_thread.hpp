#pragma once

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#endif

namespace cpu {

// While one lives, a BLAS that opens OpenMP regions opens none on the calling thread: so a result
// does not depend on the number of threads, and OpenBLAS, which keeps one number of threads for the
// whole process, never has to change it beside a call that runs.
class OneThread {
 public:
#ifdef SWITCHYARD_CPU_OPENMP
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }

 private:
  const int before_;

 public:
#else
  OneThread() {}
#endif
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace cpu
