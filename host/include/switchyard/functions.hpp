/// @file
/// Functions of tensors, named as in PyTorch and the array API. Each runs on the device where its
/// tensors lie (host values go along), else on the current device; its result lies there. Each
/// lowers to ops, as host/functions/LOWERINGS.md lists, and records what gradients
/// need. Shapes broadcast as in NumPy. Dtypes promote as in PyTorch: among tensors of the same
/// category (bool, integer, floating) the wider wins; a higher category wins over a lower one; a
/// C++ number, and a tensor of rank 0, only count by category beside tensors of a higher rank.
/// The functions that programs call most are members of Tensor, too, with the tensor as the first
/// argument; <switchyard/tensor.hpp> has the rule. Errors are Error(shape_mismatch) where shapes do
/// not fit, and Error(invalid_argument) for all else that the caller gave; they name the function,
/// dtypes and shapes. What no device at hand takes, nor the ops of its function body, is
/// Error(unsupported), and what no memory holds is Error(out_of_memory).
#pragma once

#include <switchyard/functions/counting.hpp>
#include <switchyard/functions/creation.hpp>
#include <switchyard/functions/cumulative.hpp>
#include <switchyard/functions/distance.hpp>
#include <switchyard/functions/fft.hpp>
#include <switchyard/functions/image.hpp>
#include <switchyard/functions/indexing.hpp>
#include <switchyard/functions/linalg.hpp>
#include <switchyard/functions/linear.hpp>
#include <switchyard/functions/loss.hpp>
#include <switchyard/functions/neural.hpp>
#include <switchyard/functions/pointwise.hpp>
#include <switchyard/functions/quantile.hpp>
#include <switchyard/functions/random.hpp>
#include <switchyard/functions/reduction.hpp>
#include <switchyard/functions/shaping.hpp>
#include <switchyard/functions/sorting.hpp>
