// Layers that carry a state from step to step.
#include "ops/shapes/recurrent.hpp"
#include "ops/rows/families.hpp"
#include "ops/upgrades/recurrent.hpp"

namespace switchyard {

namespace {

constexpr std::string_view kRecurrentTypes = "T=float T1=int32";
constexpr std::string_view kOnnxTypes = "T=float_ir3 T1=int32";

#define SWITCHYARD_RECURRENT_ATTRIBUTES                        \
  "activation_alpha:floats activation_beta:floats clip:float " \
  "direction:text(forward|reverse|bidirectional)=forward "     \
  "hidden_size:int "

Row rnn_row() {
  constexpr std::string_view kSeven =
      SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts=[Tanh,Tanh]";
  constexpr std::string_view kOne =
      SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts=[Tanh,Tanh] output_sequence:flag=0";
  return {
      .op = "RNN",
      .version = 22,
      .signature = "X:T W:T R:T B:T? sequence_lens:T1? initial_h:T? -> Y:T? Y_h:T?",
      .attributes = SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts=[Tanh,Tanh] layout:flag=0",
      .types = kRecurrentTypes,
      .revisions = {{1, kOnnxTypes, "", kOne, drop_output_sequence},
                    {7, kOnnxTypes, "", kSeven},
                    {14, kOnnxTypes}},
      .shape = rnn_shape,
      .example = "f4x2x3 f1x5x3 f1x5x5 hidden_size=5",
      .autocast = AutocastTo::low_precision};
}

Row gru_row() {
  return {.op = "GRU",
          .version = 22,
          .signature = "X:T W:T R:T B:T? sequence_lens:T1? initial_h:T? -> Y:T? Y_h:T?",
          .attributes = SWITCHYARD_RECURRENT_ATTRIBUTES
          "activations:texts layout:flag=0 linear_before_reset:flag=0",
          .types = kRecurrentTypes,
          .revisions = {{1, kOnnxTypes, "",
                         SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts output_sequence:flag=0",
                         drop_output_sequence},
                        {3, kOnnxTypes, "",
                         SWITCHYARD_RECURRENT_ATTRIBUTES
                         "activations:texts linear_before_reset:flag=0 output_sequence:flag=0",
                         drop_output_sequence},
                        {7, kOnnxTypes, "",
                         SWITCHYARD_RECURRENT_ATTRIBUTES
                         "activations:texts linear_before_reset:flag=0"},
                        {14, kOnnxTypes}},
          .shape = gru_shape,
          .example = "f4x2x3 f1x15x3 f1x15x5 hidden_size=5",
          .autocast = AutocastTo::low_precision};
}

Row lstm_row() {
  return {.op = "LSTM",
          .version = 22,
          .signature =
              "X:T W:T R:T B:T? sequence_lens:T1? initial_h:T? initial_c:T? P:T? -> "
              "Y:T? Y_h:T? Y_c:T?",
          .attributes =
              SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts input_forget:flag=0 layout:flag=0",
          .types = kRecurrentTypes,
          .revisions = {{1, kOnnxTypes, "",
                         SWITCHYARD_RECURRENT_ATTRIBUTES
                         "activations:texts input_forget:flag=0 output_sequence:flag=0",
                         drop_output_sequence},
                        {7, kOnnxTypes, "",
                         SWITCHYARD_RECURRENT_ATTRIBUTES "activations:texts input_forget:flag=0"},
                        {14, kOnnxTypes}},
          .shape = lstm_shape,
          .example = "f4x2x3 f1x20x3 f1x20x5 hidden_size=5",
          .autocast = AutocastTo::low_precision};
}

#undef SWITCHYARD_RECURRENT_ATTRIBUTES

}  // namespace

std::vector<Row> recurrent_rows() { return {rnn_row(), gru_row(), lstm_row()}; }

}  // namespace switchyard
