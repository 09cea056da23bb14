// switchyard_forked_child DEVICE: the child of a process that has used a device which works on
// threads of its own gets an error there, computes on `cpu` and ends.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <switchyard/switchyard.hpp>

namespace {

void add(const char* process, const switchyard::Tensor& a, float b) {
  const switchyard::Tensor sum = a + b;
  std::printf("%s: %g on %s\n", process, static_cast<double>(sum.item<float>()),
              sum.device().name().c_str());
  std::fflush(stdout);
}

void compute_in_child(const switchyard::Tensor& of_parent) {
  try {
    add("child", of_parent, 5);
  } catch (const switchyard::Error& error) {
    std::printf("child: device error: %s\n", error.what());
  }
  add("child", switchyard::full({}, 3.f, {.device = switchyard::Device("cpu")}), 4);
}

}  // namespace

int main(int, char** words) {
  const switchyard::Tensor two =
      switchyard::full({}, 2.f, {.device = switchyard::Device(words[1])});
  add("parent", two, 3);
  const pid_t child = fork();
  if (child == 0) {
    compute_in_child(two);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child: ended with %d\n", status);
  add("parent", two, 7);
}
