#pragma once

#include <memory>
#include <string_view>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/tensor.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// What the gradient of a tensor must be like.
struct GradientForm {
  DType dtype = DType::undefined;
  Dims shape = {};
  std::shared_ptr<OpenDevice> device = {};  ///< null where it may lie anywhere

  GradientForm() = default;
  explicit GradientForm(const TensorImpl& tensor);
};

/// `gradient`, which is defined, on the form's device if it is a value of the host. Throws
/// Error(shape_mismatch) for another shape, and Error(invalid_argument) for another dtype or
/// device: "[SOURCE] the gradient of WHAT is ...".
Tensor fitting_gradient(const Tensor& gradient, const GradientForm& form, std::string_view source,
                        std::string_view what);

}  // namespace switchyard
