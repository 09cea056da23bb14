// LOWERINGS.md: every function has a row, and what runs is what the row says. With
// SWITCHYARD_WRITE_DOCUMENTS=1 a row that says something else is written anew.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>

#include "autograd/variable.hpp"
#include "ops/row.hpp"
#include "plugin_loader/fakes.hpp"
#include "tensor/test_runtime.hpp"
#include "test_folders.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard {
namespace {

using Names = std::set<std::string>;

const Op* op_named(const std::string& name) {
  const Op* op = find_op("", name);
  return op ? op : find_op("switchyard", name);
}

struct TableRow {
  std::string section, line;
  Names functions, ops;
};

constexpr const char* kFile = SWITCHYARD_SOURCE_DIR "/host/functions/LOWERINGS.md";

Names matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  Names found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

std::vector<TableRow> read_table() {
  std::ifstream file(kFile);
  std::vector<TableRow> rows;
  std::string line, section;
  while (std::getline(file, line)) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line.substr(1));
    std::string functions, ops;
    std::getline(cells, functions, '|');
    std::getline(cells, ops, '|');
    TableRow row{section, line, matches(functions, "`([a-z_0-9]+)"), {}};
    for (const std::string& word : matches(ops, "([A-Za-z0-9]+)")) {
      if (op_named(word)) row.ops.insert(word);
    }
    rows.push_back(row);
  }
  return rows;
}

const TableRow* row_of(const std::vector<TableRow>& rows, const std::string& function) {
  for (const TableRow& row : rows) {
    if (row.functions.count(function)) return &row;
  }
  return nullptr;
}

TEST(Table, HasARowForEveryFunction) {
  const std::vector<TableRow> rows = read_table();
  int count = 0;
  const std::filesystem::path folder = SWITCHYARD_SOURCE_DIR "/host/include/switchyard/functions";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = trace::content_of(entry.path());
    for (const std::string& name : matches(
             text, "\n\\[\\[nodiscard\\]\\] SWITCHYARD_API [A-Za-z:<>0-9]+\\s+([a-z_0-9]+)\\(")) {
      EXPECT_TRUE(row_of(rows, name)) << name << " of " << entry.path().filename();
      ++count;
    }
  }
  EXPECT_GE(count, 200);
}

/// The row with these ops in its second cell.
void write_row(const TableRow& row, const Names& ops) {
  std::string names;
  for (const std::string& op : ops) names += (names.empty() ? "" : ", ") + op;
  const std::size_t begin = row.line.find('|', 1) + 1, end = row.line.find('|', begin);
  std::string line = row.line;
  line.replace(begin, end - begin, " " + (names.empty() ? "no op" : names) + " ");
  std::string document = trace::content_of(kFile);
  document.replace(document.find(row.line), row.line.size(), line);
  std::ofstream(kFile) << document;
}

/// A call with the function whose row it tries.
struct Sample {
  const char* function;
  std::function<Tensor()> call;
};

Tensor floats() { return tensor({{1., -2.}, {3., 4.}}); }
Tensor whole() { return tensor({5, -3}); }
Tensor truths() { return tensor({true, false}); }
Tensor leaf() { return floats().requires_grad_(); }
Tensor halves() { return tensor({0.5, 0.25}, {.dtype = DType::float16}); }
Tensor bytes() { return tensor({5, 3}, {.dtype = DType::uint8}); }
Tensor cube() { return tensor({1., 2., 3., 4., 5., 6., 7., 8.}).reshape({2, 2, 2}); }

std::vector<Sample> of_two() {
  return {{"add", [] { return add(floats(), floats()); }},
          {"add", [] { return add(truths(), truths()); }},
          {"add", [] { return sub(floats(), 1); }},
          {"add", [] { return mul(floats(), 2); }},
          {"add", [] { return mul(truths(), truths()); }},
          {"div", [] { return div(whole(), 2); }},
          {"floor_divide", [] { return floor_divide(whole(), 2); }},
          {"floor_divide", [] { return floor_divide(floats(), 2); }},
          {"remainder", [] { return remainder(whole(), 2); }},
          {"remainder", [] { return remainder(floats(), 2); }},
          {"fmod", [] { return fmod(floats(), 2); }},
          {"pow", [] { return pow(floats(), 2); }},
          {"atan2", [] { return atan2(floats(), floats()); }},
          {"atan2", [] { return hypot(floats(), floats()); }},
          {"logaddexp", [] { return logaddexp(floats(), floats()); }},
          {"maximum", [] { return maximum(floats(), 1); }},
          {"maximum", [] { return minimum(floats(), 1); }},
          {"maximum", [] { return maximum(truths(), truths()); }},
          {"maximum", [] { return minimum(truths(), truths()); }},
          {"lerp", [] { return lerp(floats(), floats(), 0.25); }},
          {"lerp", [] { return lerp(floats(), floats(), floats()); }},
          {"addcmul", [] { return addcmul(floats(), floats(), floats(), 2); }},
          {"addcmul", [] { return addcdiv(floats(), floats(), floats()); }},
          {"eq", [] { return eq(floats(), 1); }},
          {"eq", [] { return ne(floats(), 1); }},
          {"eq", [] { return lt(floats(), 1); }},
          {"eq", [] { return le(floats(), 1); }},
          {"eq", [] { return gt(floats(), 1); }},
          {"eq", [] { return ge(floats(), 1); }},
          {"isclose", [] { return isclose(floats(), floats(), 1e-5, 1e-8, true); }},
          {"isclose", [] { return isclose(tensor({1}), tensor({2})); }},
          {"allclose", [] { return Tensor(allclose(tensor({1}), tensor({2}))); }},
          {"allclose", [] { return Tensor(allclose(floats(), floats())); }},
          {"equal", [] { return Tensor(equal(floats(), floats())); }},
          {"logical_and", [] { return logical_and(floats(), truths()); }},
          {"logical_and", [] { return logical_or(floats(), truths()); }},
          {"logical_and", [] { return logical_xor(floats(), truths()); }},
          {"logical_and", [] { return logical_not(floats()); }},
          {"bitwise_and", [] { return bitwise_and(whole(), 3); }},
          {"bitwise_and", [] { return bitwise_or(whole(), 3); }},
          {"bitwise_and", [] { return bitwise_xor(whole(), 3); }},
          {"bitwise_and", [] { return bitwise_not(whole()); }},
          {"bitwise_and", [] { return bitwise_and(truths(), truths()); }},
          {"bitwise_and", [] { return bitwise_or(truths(), truths()); }},
          {"bitwise_and", [] { return bitwise_xor(truths(), truths()); }},
          {"bitwise_and", [] { return bitwise_not(truths()); }},
          {"where", [] { return where(truths(), floats(), 0); }},
          {"where", [] { return masked_fill(floats(), truths(), 0); }},
          {"clamp", [] { return clamp(leaf(), floats(), floats()); }},
          {"clamp", [] { return clamp(floats(), 0, 1); }},
          {"clamp", [] {
             return clamp(floats(), tensor({0., 1.}), tensor({1., 2.}));
           }}};
}

std::vector<Sample> of_one() {
  std::vector<Sample> samples = {
      {"neg", [] { return neg(floats()); }},
      {"neg", [] { return neg(bytes()); }},
      {"result_type", [] { return Tensor(result_type(1, 2) == DType::int64); }}};
  using Function = Tensor (*)(const Tensor&);
  const std::pair<const char*, Function> functions[] = {
      {"abs", abs},         {"abs", sign},     {"square", square}, {"sqrt", sqrt},
      {"sqrt", reciprocal}, {"sqrt", exp},     {"sqrt", log},      {"sqrt", erf},
      {"rsqrt", rsqrt},     {"sin", sin},      {"sin", cos},       {"sin", tan},
      {"sin", asin},        {"sin", acos},     {"sin", atan},      {"sinh", sinh},
      {"sinh", cosh},       {"sinh", tanh},    {"sinh", asinh},    {"sinh", acosh},
      {"sinh", atanh},      {"exp2", exp2},    {"log2", log2},     {"log2", log10},
      {"expm1", expm1},     {"log1p", log1p},  {"floor", floor},   {"floor", ceil},
      {"floor", round},     {"trunc", trunc},  {"trunc", frac},    {"erfc", erfc},
      {"erfc", lgamma},     {"erfc", digamma}, {"erfinv", erfinv}};
  for (const auto& [name, function] : functions) {
    samples.push_back({name, [function = function] { return function(floats()); }});
  }
  samples.push_back({"trunc", [] { return frac(whole()); }});
  samples.push_back({"isnan", [] { return isfinite(floats()); }});
  samples.push_back({"nan_to_num", [] { return nan_to_num(floats()); }});
  return samples;
}

std::vector<Sample> of_new_ones() {
  return {{"zeros", [] { return zeros({2}); }},
          {"zeros", [] { return full_like(ones({2}), 3); }},
          {"zeros", [] { return empty_like(floats()); }},
          {"arange", [] { return arange(0, 2, 0.5); }},
          {"linspace", [] { return linspace(0, 1, 3); }},
          {"eye", [] { return eye(3); }},
          {"rand", [] { return rand({4}); }},
          {"rand", [] { return rand_like(halves()); }},
          {"randn", [] { return randn({4}); }},
          {"randint", [] { return randint(0, 3, {4}); }},
          {"bernoulli", [] { return bernoulli(halves()); }},
          {"multinomial",
           [] {
             return multinomial(tensor({1., 2.}), 1);
           }},
          {"multinomial",
           [] {
             return multinomial(tensor({1., 2.}), 3, true);
           }},
          {"gumbel_softmax", [] { return gumbel_softmax(floats()); }},
          {"gumbel_softmax", [] { return gumbel_softmax(floats(), {.hard = true}); }},
          {"manual_seed", [] { return manual_seed(1), Tensor(1); }}};
}

std::vector<Sample> of_views() {
  return {{"reshape", [] { return reshape(leaf(), {4}); }},
          {"reshape", [] { return flatten(leaf()); }},
          {"reshape",
           [] {
             return unflatten(leaf(), 0, {2, 1});
           }},
          {"transpose", [] { return transpose(leaf(), 0, 1); }},
          {"transpose",
           [] {
             return permute(leaf(), {1, 0});
           }},
          {"transpose", [] { return movedim(leaf(), 0, 1); }},
          {"squeeze", [] { return squeeze(unsqueeze(leaf(), 1)); }},
          {"expand",
           [] {
             return expand(leaf(), {3, 2, 2});
           }},
          {"expand",
           [] {
             return broadcast_to(leaf(), {3, 2, 2});
           }},
          {"narrow", [] { return narrow(leaf(), 0, 1, 1); }},
          {"narrow", [] { return slice(leaf(), 0, 0, 1); }},
          {"split", [] { return split(leaf(), 1)[1]; }},
          {"split", [] { return chunk(leaf(), 2)[1]; }},
          {"select", [] { return select(leaf(), 0, 1); }},
          {"unbind", [] { return unbind(leaf())[1]; }},
          {"as_strided", [] { return as_strided(leaf(), {2}, {3}); }},
          {"as_strided", [] { return diagonal(leaf()); }},
          {"meshgrid", [] {
             return meshgrid({tensor({1., 2.}).requires_grad_(), ones({3})})[0];
           }}};
}

std::vector<Sample> of_products() {
  return {{"matmul", [] { return matmul(floats(), floats()); }},
          {"matmul", [] { return mm(floats(), floats()); }},
          {"matmul", [] { return bmm(cube(), cube()); }},
          {"matmul",
           [] {
             return mv(floats(), tensor({1., 2.}));
           }},
          {"matmul",
           [] {
             return dot(tensor({1., 2.}), tensor({1., 2.}));
           }},
          {"outer",
           [] {
             return outer(floats().select(0, 0).detach().requires_grad_(), tensor({1., 2.}));
           }},
          {"addmm", [] { return addmm(floats(), floats(), floats()); }},
          {"addmm",
           [] {
             const Tensor x = tensor({{1., 2.}, {3., 4.}}, {.dtype = DType::float64});
             return addmm(x, x, x, 0.1, 0.1);
           }},
          {"baddbmm", [] { return baddbmm(cube(), cube(), cube(), 2, 3); }},
          {"tensordot", [] { return tensordot(cube().requires_grad_(), floats(), 1); }},
          {"kron", [] { return kron(leaf(), floats()); }},
          {"einsum",
           [] {
             return einsum("ij,kj->ik", {floats(), floats()});
           }},
          {"linear",
           [] {
             return linear(floats(), floats(), tensor({1., 2.}));
           }},
          {"linear", [] {
             return linear(cube(), leaf(), tensor({1., 2.}));
           }}};
}

Tensor definite() { return tensor({{2., 1.}, {1., 3.}}); }

std::vector<Sample> of_matrices() {
  using linalg::MatrixNorm;
  return {{"det", [] { return linalg::det(definite()); }},
          {"slogdet", [] { return linalg::slogdet(definite()).logarithm; }},
          {"inv", [] { return linalg::inv(definite()); }},
          {"pinv", [] { return linalg::pinv(definite()); }},
          {"solve", [] { return linalg::solve(definite(), floats()); }},
          {"solve",
           [] {
             return linalg::solve(definite(), tensor({1., 2.}));
           }},
          {"solve_triangular", [] { return linalg::solve_triangular(definite(), floats()); }},
          {"cholesky", [] { return linalg::cholesky(definite()); }},
          {"qr", [] { return linalg::qr(floats()).q; }},
          {"svd", [] { return linalg::svd(floats()).u; }},
          {"svd", [] { return linalg::svdvals(floats()); }},
          {"eigh", [] { return linalg::eigh(definite()).vectors; }},
          {"eigh", [] { return linalg::eigvalsh(definite()); }},
          {"lstsq",
           [] {
             return linalg::lstsq(ones({3, 2}), ones({3, 1})).residuals;
           }},
          {"matrix_power", [] { return linalg::matrix_power(definite(), -3); }},
          {"matrix_power", [] { return linalg::matrix_power(definite(), 0); }},
          {"matrix_rank", [] { return linalg::matrix_rank(floats()); }},
          {"multi_dot",
           [] {
             return linalg::multi_dot({floats(), floats(), floats()});
           }},
          {"vector_norm", [] { return linalg::vector_norm(floats()); }},
          {"matrix_norm", [] { return linalg::matrix_norm(floats()); }},
          {"matrix_norm", [] { return linalg::matrix_norm(floats(), MatrixNorm::nuclear); }},
          {"matrix_norm", [] { return linalg::matrix_norm(floats(), 1); }},
          {"matrix_norm", [] { return linalg::matrix_norm(floats(), -1); }},
          {"matrix_norm", [] { return linalg::matrix_norm(floats(), -2); }}};
}

std::vector<Sample> of_spectra() {
  using fft::Norm;
  return {{"fft", [] { return fft::fft(floats()); }},
          {"fft", [] { return fft::irfft(floats(), {}, -1, Norm::ortho); }},
          {"fft2", [] { return fft::rfft2(floats()); }},
          {"fft2",
           [] {
             return fft::ifft2(cube(), {}, {-2, -1}, Norm::ortho);
           }},
          {"fftshift", [] { return fft::fftshift(floats(), {0}); }},
          {"fftshift", [] { return fft::ifftshift(floats(), {0}); }},
          {"fftfreq", [] { return fft::fftfreq(4); }},
          {"fftfreq", [] { return fft::rfftfreq(4); }}};
}

/// The ops that were recorded for the backward pass from a result, views among them.
void add_recorded(const StepRef& step, Names& names) {
  if (!step) return;
  if (op_named(std::string(step->name()))) names.insert(std::string(step->name()));
  for (const Edge& edge : step->edges) add_recorded(edge.step, names);
}

/// The kernels of each sample, told apart by a kernel that none of them calls.
std::vector<Names> run(const std::vector<Sample>& samples) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "t.json";
  std::vector<Names> recorded;
  {
    const std::string config = config_text({{"cpu"}});
    const Runtime runtime = Runtime::from_text("[host]\ntrace = '" + file.string() + "'\n" +
                                               config.substr(config.find('\n') + 1));
    const RuntimeScope scope(runtime);
    const DeviceScope on(runtime.default_device());
    const Operation mark = runtime.operation("ThresholdedRelu");
    for (const Sample& sample : samples) {
      mark(std::vector<Tensor>{zeros({1})});
      SCOPED_TRACE(sample.function);
      const Tensor result = sample.call();
      recorded.emplace_back();
      if (const Variable* made = variable_of(*result.impl()))
        add_recorded(made->made_by.step, recorded.back());
    }
  }
  // A thread keeps the latest numbers, and with them their device open, so the list has no end yet.
  std::string text = trace::content_of(file);
  const std::size_t last = text.find_last_of("}]");
  if (text[last] == '}') text = text.substr(0, last + 1) + "]";
  std::vector<Names> ran;
  for (const trace::Event& event : trace::of_kind(trace::events_of(text), "kernel")) {
    if (event.name == "ThresholdedRelu") {
      ran.push_back(recorded[ran.size()]);
    } else {
      ran.back().insert(event.name);
    }
  }
  return ran;
}

TEST(Table, SaysWhatRuns) {
  const std::vector<TableRow> rows = read_table();
  std::vector<Sample> samples;
  for (const auto& family : {of_two(), of_one(), of_new_ones(), of_views(), of_products(),
                             of_matrices(), of_spectra()}) {
    samples.insert(samples.end(), family.begin(), family.end());
  }
  const std::vector<Names> ran = run(samples);
  ASSERT_EQ(ran.size(), samples.size());
  std::map<const TableRow*, Names> all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const TableRow* row = row_of(rows, samples[i].function);
    ASSERT_TRUE(row) << samples[i].function;
    for (const std::string& op : ran[i]) {
      if (op != "Cast") all[row].insert(op);
    }
    all[row];
  }
  for (const TableRow& row : rows) {
    const Names tried{"Pointwise",      "Creation",           "Views", "Products",
                      "Linear algebra", "Fourier transforms", "Random"};
    if (!tried.count(row.section)) continue;
    EXPECT_EQ(all.count(&row), 1u) << *row.functions.begin() << " has no sample";
    if (all[&row] != row.ops && std::getenv("SWITCHYARD_WRITE_DOCUMENTS")) {
      write_row(row, all[&row]);
      continue;
    }
    EXPECT_EQ(all[&row], row.ops) << *row.functions.begin();
  }
}

}  // namespace
}  // namespace switchyard
