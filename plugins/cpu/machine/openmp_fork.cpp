#include "machine/openmp_fork.hpp"

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace cpu {

#if defined(SWITCHYARD_CPU_OPENMP) && defined(KMP_VERSION_MAJOR)  // LLVM's

void let_forked_children_end() {
  [[maybe_unused]] static const int registered = [] {
    const auto use_openmp = [] { static_cast<void>(omp_get_max_threads()); };
    use_openmp();  // whose own handler must be called before this one, so registered before it
    return pthread_atfork(nullptr, nullptr, use_openmp);
  }();
}

#else

void let_forked_children_end() {}

#endif

}  // namespace cpu
