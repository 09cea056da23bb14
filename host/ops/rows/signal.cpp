// Windows and spectra.
#include "ops/shapes/signal.hpp"
#include "ops/rows/families.hpp"
#include "ops/upgrades/signal.hpp"

namespace switchyard {

namespace {

Row window_function(std::string_view op) {
  return {.op = op,
          .version = 17,
          .signature = "size:T1! -> output:T2",
          .attributes = "output_datatype:int=1 periodic:flag=1",
          .types = "T1=int32|int64 T2=numeric",
          .shape = window_function_shape,
          .type = output_datatype_type,
          .example = "n6"};
}

Row mel_weight_matrix() {
  return {.op = "MelWeightMatrix",
          .version = 17,
          .signature =
              "num_mel_bins:T1! dft_length:T1! sample_rate:T1 lower_edge_hertz:T2 "
              "upper_edge_hertz:T2 -> output:T3",
          .attributes = "output_datatype:int=1",
          .types = "T1=int32|int64 T2=float T3=numeric",
          .shape = mel_weight_matrix_shape,
          .type = output_datatype_type,
          .example = "n4 n16 n8000 v20: v4000:"};
}

Row dft() {
  return {.op = "DFT",
          .version = 20,
          .signature = "input:T1 dft_length:T2?! axis:int64?! -> output:T1",
          .attributes = "inverse:flag=0 onesided:flag=0",
          .types = "T1=float T2=int32|int64",
          .revisions = {{17, "", "input:T1 dft_length:T2? -> output:T1",
                         "axis:int=1 inverse:flag=0 onesided:flag=0", dft_axis_to_input}},
          .shape = dft_shape,
          .example = "f2x5x1"};
}

Row stft() {
  return {.op = "STFT",
          .version = 17,
          .signature = "signal:T1 frame_step:T2! window:T1? frame_length:T2?! -> output:T1",
          .attributes = "onesided:flag=1",
          .types = "T1=float T2=int32|int64",
          .shape = stft_shape,
          .example = "f1x16x1 n4 _ n8"};
}

}  // namespace

std::vector<Row> signal_rows() {
  return {window_function("HannWindow"),
          window_function("HammingWindow"),
          window_function("BlackmanWindow"),
          mel_weight_matrix(),
          dft(),
          stft()};
}

}  // namespace switchyard
