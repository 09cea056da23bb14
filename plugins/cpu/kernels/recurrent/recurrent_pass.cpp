#include "kernels/recurrent/recurrent_pass.hpp"

#include <algorithm>

#include "gemm/tiles.hpp"

namespace cpu {
namespace {

using Cell = RecurrentCell;
// Clips and applies a function, in place.
void activate(const RecurrentPass& pass, size_t function, float* values, int64_t count) {
  const float clip = pass.layer.clip;
  for (int64_t i = 0; clip > 0 && i < count; ++i) values[i] = std::clamp(values[i], -clip, clip);
  pass.activate[function].apply(values, count);
}

// out[batch, count] (+)= h[batch, hidden] * the rows [first, first + count) of the state matrix.
void add_state(const RecurrentPass& pass, const float* h, int64_t first, int64_t count, float* out,
               int64_t out_step) {
  MatrixProduct product;
  product.m = pass.batch;
  product.n = count;
  product.k = pass.hidden;
  product.a = {SY_FLOAT32, h, pass.hidden, 1};
  product.b = {SY_FLOAT32, pass.state_matrix + first * pass.hidden, 1, pass.hidden};
  product.c = {SY_FLOAT32, out, out_step, 1};
  product.panels = pass.panels_from(first);
  product.packed_columns = pass.layer.gates * pass.hidden;
  product.accumulate = true;
  multiply(product);
}

void lstm_row(const RecurrentPass& pass, float* gate, float* h, float* c) {
  const int64_t n = pass.hidden;
  float *in = gate, *out = gate + n, *forget = gate + 2 * n, *fresh = gate + 3 * n;
  for (int64_t j = 0; pass.peephole && j < n; ++j) {
    in[j] += pass.peephole[j] * c[j];
    forget[j] += pass.peephole[2 * n + j] * c[j];
  }
  activate(pass, 0, in, n);
  activate(pass, 0, forget, n);
  activate(pass, 1, fresh, n);
  for (int64_t j = 0; pass.layer.coupled && j < n; ++j) forget[j] = 1 - in[j];
  for (int64_t j = 0; j < n; ++j) c[j] = forget[j] * c[j] + in[j] * fresh[j];
  for (int64_t j = 0; pass.peephole && j < n; ++j) out[j] += pass.peephole[n + j] * c[j];
  activate(pass, 0, out, n);
  std::copy(c, c + n, h);
  pass.activate[2].apply(h, n);
  for (int64_t j = 0; j < n; ++j) h[j] *= out[j];
}

// `hidden` holds the state's part of the hidden gate; update and reset are ready.
void gru_row(const RecurrentPass& pass, float* gate, const float* hidden, float* h) {
  const int64_t n = pass.hidden;
  float* fresh = gate + 2 * n;
  for (int64_t j = 0; j < n; ++j) fresh[j] += hidden[j];
  activate(pass, 1, fresh, n);
  for (int64_t j = 0; j < n; ++j) h[j] = (1 - gate[j]) * fresh[j] + gate[j] * h[j];
}

void rnn_row(const RecurrentPass& pass, float* gate, float* h) {
  std::copy(gate, gate + pass.hidden, h);
  activate(pass, 0, h, pass.hidden);
}

// The state's products of one step of GRU: makes update and reset, and the hidden gate's part, to
// which the reset gate is applied before or after the product.
class GruState {
 public:
  explicit GruState(const RecurrentPass& pass)
      : pass_(pass),
        n_(pass.layer.cell == Cell::gru ? pass.hidden : 0),
        after_(pass.layer.reset_after),
        parts_(static_cast<size_t>(pass.batch * n_ * (after_ ? 3 : 1))),
        reset_(static_cast<size_t>(after_ ? 0 : pass.batch * n_)) {}

  void multiply(float* gates) {
    if (after_) {
      multiply_once(gates);
    } else {
      multiply_twice(gates);
    }
  }

  const float* hidden(int64_t b) const {
    return after_ ? parts_.data() + b * 3 * n_ + 2 * n_ : parts_.data() + b * n_;
  }

 private:
  // parts = h * the whole matrix, as all of it is needed before the reset gate is.
  void multiply_once(float* gates) {
    for (int64_t b = 0; b < pass_.batch; ++b) {
      float* part = parts_.data() + b * 3 * n_;
      std::fill(part, part + 2 * n_, 0.0f);
      begin_hidden(part + 2 * n_);
    }
    add_state(pass_, pass_.h, 0, 3 * n_, parts_.data(), 3 * n_);
    for (int64_t b = 0; b < pass_.batch; ++b) {
      float* gate = gates + b * 3 * n_;
      float* part = parts_.data() + b * 3 * n_;
      for (int64_t j = 0; j < 2 * n_; ++j) gate[j] += part[j];
      activate(pass_, 0, gate, 2 * n_);
      for (int64_t j = 0; j < n_; ++j) part[2 * n_ + j] *= gate[n_ + j];
    }
  }

  void multiply_twice(float* gates) {
    add_state(pass_, pass_.h, 0, 2 * n_, gates, 3 * n_);
    for (int64_t b = 0; b < pass_.batch; ++b) {
      float* gate = gates + b * 3 * n_;
      activate(pass_, 0, gate, 2 * n_);
      for (int64_t j = 0; j < n_; ++j) {
        reset_[static_cast<size_t>(b * n_ + j)] = gate[n_ + j] * pass_.h[b * n_ + j];
      }
      begin_hidden(parts_.data() + b * n_);
    }
    add_state(pass_, reset_.data(), 2 * n_, n_, parts_.data(), n_);
  }

  void begin_hidden(float* part) const {
    if (pass_.state_bias == nullptr) {
      std::fill(part, part + n_, 0.0f);
    } else {
      std::copy_n(pass_.state_bias + 2 * n_, n_, part);
    }
  }

  const RecurrentPass& pass_;
  const int64_t n_;
  const bool after_;
  std::vector<float> parts_, reset_;
};

}  // namespace

const float* RecurrentPass::panels_from(int64_t row) const {
  if (state_panels == nullptr || row % packed_unit(layer.gates * hidden) != 0) return nullptr;
  return state_panels + row * hidden;
}

void run_pass(RecurrentPass& pass, bool reverse, const std::vector<int64_t>& lengths,
              const EmitState& emit) {
  const int64_t width = pass.layer.gates * pass.hidden, n = pass.hidden;
  GruState gru(pass);
  for (int64_t i = 0; i < pass.steps; ++i) {
    const int64_t step = reverse ? pass.steps - 1 - i : i;
    float* gate = pass.gates + step * pass.batch * width;
    if (pass.layer.cell == Cell::gru) {
      gru.multiply(gate);
    } else {
      add_state(pass, pass.h, 0, width, gate, width);
    }
    for (int64_t b = 0; b < pass.batch; ++b) {
      if (step >= lengths[static_cast<size_t>(b)]) continue;
      float* h = pass.h + b * n;
      float* row = gate + b * width;
      if (pass.layer.cell == Cell::lstm) lstm_row(pass, row, h, pass.c + b * n);
      if (pass.layer.cell == Cell::gru) gru_row(pass, row, gru.hidden(b), h);
      if (pass.layer.cell == Cell::rnn) rnn_row(pass, row, h);
      emit(step, b, h);
    }
  }
}

}  // namespace cpu
