#include "program.hpp"

#include <thread>

#include "steps.hpp"

namespace switchyard::random_programs {
namespace {

Outcome run_thread(const Environment& environment, std::uint64_t seed, int steps,
                   std::vector<Variable> shared) {
  Outcome outcome;
  try {
    Steps mine(environment, seed, outcome.read, std::move(shared));
    for (int i = 0; i < steps; ++i) mine.take();
    mine.read_all();
  } catch (const Error& error) {
    outcome.error = error;
  }
  return outcome;
}

}  // namespace

std::vector<Outcome> run_program(const Environment& environment, std::uint64_t seed,
                                 const Shape& shape) {
  const RuntimeScope here(environment.runtime);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(shape.threads));
  std::vector<Variable> shared;
  try {
    shared = shared_variables(environment, seed);
  } catch (const Error& error) {
    for (Outcome& outcome : outcomes) outcome.error = error;
    return outcomes;
  }
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    threads.emplace_back([&, i, mine = shared]() mutable {
      const RuntimeScope of_this_thread(environment.runtime);
      outcomes[i] = run_thread(environment, seed * 64 + i + 1, shape.steps, std::move(mine));
    });
  }
  shared.clear();  // whichever thread needs them last lets go of them
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace switchyard::random_programs
