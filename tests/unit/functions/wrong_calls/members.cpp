#include "functions/wrong_calls/wrong_calls.hpp"
#include "tensor/host_tensor.hpp"

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>

namespace switchyard {

Calls wrong_calls_of_members() {
  const Tensor target = floats();
  return {
      {"Tensor::add_", [=] { target.add_(others()); }},
      {"Tensor::sub_", [=] { target.sub_(none()); }},
      {"Tensor::mul_", [=] { target.mul_(others()); }},
      {"Tensor::div_", [] { integers().div_(2); }},
      {"Tensor::pow_", [=] { target.pow_(none()); }},
      {"Tensor::addcmul_", [=] { target.addcmul_(others(), floats()); }},
      {"Tensor::addcdiv_", [=] { target.addcdiv_(floats(), others()); }},
      {"Tensor::lerp_", [=] { target.lerp_(others(), 0.5); }},
      {"Tensor::clamp_", [=] { target.clamp_(others(), {}); }},
      {"Tensor::exp_", [] { integers().exp_(); }},
      {"Tensor::abs_", [] { none().abs_(); }},
      {"Tensor::copy_", [=] { target.copy_(others()); }},
      {"Tensor::copy_", [=] { target.copy_(none()); }},
      {"Tensor::fill_", [=] { target.fill_(others()); }},
      {"Tensor::fill_", [=] { target.fill_(none()); }},
      {"Tensor::zero_", [] { none().zero_(); }},
      {"Tensor::masked_fill_", [=] { target.masked_fill_(others(), 1); }},
      {"Tensor::scatter_", [=] { target.scatter_(0, floats(), 1); }},
      {"Tensor::scatter_add_", [=] { target.scatter_add_(2, positions(), floats()); }},
      {"Tensor::index_add_", [=] { target.index_add_(0, positions(), others()); }},
      {"Tensor::index_add_", [] { none().index_add_(0, positions(), others()); }},
      {"Tensor::trace", [] { image().trace(); }},
      {"Tensor::trace", [] { none().trace(); }},
      {"Tensor::uniform_", [=] { target.uniform_(1, 0); }},
      {"Tensor::normal_", [=] { target.normal_(0, -1); }},
      {"Tensor::view", [=] { target.t().view({6}); }},
      {"Tensor::item", [=] { target.item(); }},
      {"Tensor::item", [=] { ones({}).item<double>(); }},
      {"Tensor::to_vector", [=] { target.to_vector<double>(); }},
      {"Tensor::to_vector", [] { none().to_vector<float>(); }},
      {"Tensor::to_texts", [=] { target.to_texts(); }},
      {"Tensor::copy_to", [=] { target.copy_to(nullptr, 1); }},
      {"Tensor::view_host", [=] { target.view_host<double>(); }},
      {"Tensor::view_host", [=] { target.t().view_host<float>(); }},
      {"Tensor::view_host", [] { none().view_host<float>(); }},
      {"Tensor::borrow", [] { Tensor::borrow(static_cast<float*>(nullptr), {2}); }},
      {"Tensor::borrow", [] { Tensor::borrow(std::span<const float>(), {2}); }},
      {"Tensor::to_dlpack", [] { none().to_dlpack(); }},
      {"Tensor::to_dlpack_versioned", [] { none().to_dlpack_versioned(); }},
      {"Tensor::new_zeros", [=] { target.new_zeros({-1}); }},
      {"Tensor::new_zeros", [] { none().new_zeros({1}); }},
      {"Tensor::new_ones", [=] { target.new_ones({-1}); }},
      {"Tensor::new_full", [=] { target.new_full({2}, floats()); }},
      {"Tensor::new_full", [=] { target.new_full({2}, none(), {.dtype = DType::int64}); }},
      {"Tensor::new_empty", [=] { target.new_empty({-1}); }},
      {"Tensor::shape", [] { none().shape(); }},
      {"Tensor::to", [] { none().to(DType::int64); }},
      {"Tensor::to", [] { floats().to(DType::string); }},
      {"Tensor::to", [] { host_texts({1}, {"a"}).to(current_device()); }},
      {"Tensor::item", [] { host_texts({1}, {"a"}).item(); }},
      {"Tensor::to", [] { floats().to(DType::undefined); }},
      {"Tensor::backward", [=] { target.backward(); }},
      {"Tensor::requires_grad_", [] { integers().requires_grad_(); }},
      {"Tensor::set_grad", [=] { target.set_grad(others()); }},
      {"tensor_from_bytes", [] { tensor_from_bytes(DType::float32, {}, {3}); }},
      {"text_tensor", [] { text_tensor({"a"}, {2}); }},
      {"grad", [=] { grad(target.sum(), ones({2}).requires_grad_()); }},
  };
}

}  // namespace switchyard
