#include "onednn/float_product.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "held_signals.hpp"
#include "onednn/primitive.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu::onednn {
namespace {

// oneDNN makes its code for products when it first needs it, and unmaps it when the process ends:
// before static objects of the program, and threads that they join, which may multiply still.
class ProcessEnd {
 public:
  // False once the process ends. If true, `leave` must follow.
  static bool enter() {
    std::atomic<int>& calls = own_calls();
    calls.fetch_add(1);
    if (!has_come.load()) return true;
    calls.fetch_sub(1);
    return false;
  }
  static void leave() { own_calls().fetch_sub(1); }

  // After the first product of each kind, so that this comes before oneDNN's code for it ends.
  static void announce(unsigned kind) {
    static std::atomic<uint32_t> announced{0};
    const uint32_t bit = uint32_t{1} << kind;
    if ((announced.load(std::memory_order_relaxed) & bit) != 0) return;
    if ((announced.fetch_or(bit) & bit) != 0) return;
    owner = getpid();
    std::atexit(come);
  }

 private:
  // A cache line each: threads do not meet.
  struct alignas(64) Place {
    std::atomic<int> calls{0};
  };

  static void come() {
    has_come.store(true);
    if (owner != getpid()) return;  // a forked child has none of the threads that may be counted
    for (Place& place : places) {
      while (place.calls.load() != 0) std::this_thread::yield();
    }
  }

  static std::atomic<int>& own_calls() {
    static std::atomic<size_t> next{0};
    static thread_local const size_t own = next.fetch_add(1) % places.size();
    return places[own].calls;
  }

  static std::array<Place, 64> places;
  static std::atomic<bool> has_come;
  static std::atomic<pid_t> owner;
};

constinit std::array<ProcessEnd::Place, 64> ProcessEnd::places{};
constinit std::atomic<bool> ProcessEnd::has_come{false};
constinit std::atomic<pid_t> ProcessEnd::owner{0};

unsigned kind_of(int64_t m, int64_t n, bool a_turned, bool b_turned, bool accumulate) {
  const bool is_line = m == 1 || n == 1, is_small = m * n < 4096;
  return (a_turned ? 1u : 0u) + (b_turned ? 2u : 0u) + (accumulate ? 4u : 0u) +
         (is_line ? 8u : 0u) + (is_small ? 16u : 0u);
}

void multiply_plainly(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                      DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate) {
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < k; ++i) {
        sum += a.data[a.turned ? i * a.step + row : row * a.step + i] *
               b.data[b.turned ? column * b.step + i : i * b.step + column];
      }
      float& to = c.data[row * c.step + column];
      to = accumulate ? to + alpha * sum : alpha * sum;
    }
  }
}

}  // namespace

bool multiplies_floats() {
  static const bool known = has_instructions(dnnl_cpu_isa_avx2);
  return known;
}

void multiply_floats(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                     DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate) {
  if (!ProcessEnd::enter()) return multiply_plainly(m, n, k, alpha, a, b, c, accumulate);
  set_threads(1);
  const HeldSignals held;
  const dnnl_status_t status =
      dnnl_sgemm(a.turned ? 'T' : 'N', b.turned ? 'T' : 'N', m, n, k, alpha, a.data, a.step, b.data,
                 b.step, accumulate ? 1.0f : 0.0f, c.data, c.step);
  ProcessEnd::announce(kind_of(m, n, a.turned, b.turned, accumulate));
  ProcessEnd::leave();
  if (status == dnnl_out_of_memory) throw sy::out_of_memory("oneDNN: a product of matrices");
  if (status != dnnl_success) {
    throw sy::bug("oneDNN: a product failed with status ", static_cast<int>(status));
  }
}

}  // namespace cpu::onednn
