// The steps that a thread of a random program takes.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "environment.hpp"

namespace switchyard::random_programs {

/// A tensor, and whether it may be written to: not where it depends on the environment who shares
/// its elements, as `to` a device does, which is a copy in one and the tensor itself in another.
struct Variable {
  Tensor tensor;
  std::size_t device = 0;
  std::shared_ptr<bool> may_write = std::make_shared<bool>(true);  // of all views
};

/// Tensors that all threads of a program read.
std::vector<Variable> shared_variables(const Environment& environment, std::uint64_t seed);

class Steps {
 public:
  /// What is read goes to `read`.
  Steps(const Environment& environment, std::uint64_t seed, std::vector<Floats>& read,
        std::vector<Variable> shared);

  void take();
  /// Reads every variable, as the end of a program does.
  void read_all();

 private:
  friend std::vector<Variable> shared_variables(const Environment& environment, std::uint64_t seed);

  struct Kind {
    int weight;
    void (Steps::*take)();
  };
  static const std::vector<Kind>& kinds();

  void create();
  void compute_unary();
  void compute_binary();
  void compute_product();
  void reduce();
  void view();
  void copy();
  void move();
  void call_between_devices();
  void write();
  void write_from();
  void drop();
  void read();
  void read_positions();
  void mark();
  void wait();
  void synchronize();
  void give_back_memory();
  void run_model();
  void differentiate();

  std::size_t die(std::size_t sides) { return dice_() % sides; }
  float number() { return static_cast<float>(dice_() % 4096) / 2048.0F - 1.0F; }
  Dims any_shape();
  Tensor new_tensor(const Dims& shape, std::size_t device);
  Variable& any();
  void keep(Tensor tensor, std::size_t device);
  void keep(Variable variable);
  void share_elements(const Variable& with, Tensor tensor, std::size_t device);
  Tensor operand_for(const Variable& other);

  const Environment& environment_;
  std::mt19937_64 dice_;
  std::vector<Floats>& read_;
  std::vector<Variable> variables_;
  std::vector<Event> events_;
};

}  // namespace switchyard::random_programs
