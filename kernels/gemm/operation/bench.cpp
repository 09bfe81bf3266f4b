// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include "input_change.h"
#include "state.h"

namespace perfcheck::gemm {
namespace {

using verify::MatrixView;

std::string with_occasion(std::string const& what, std::string const& occasion) {
  return what.empty() ? what : what + " (" + occasion + ")";
}

}  // namespace

std::array<Bench::Input, 3> Bench::inputs() const {
  return {Input{a_, set_.a, "A"}, Input{b_, set_.b, "B"}, Input{c_, set_.c, "C"}};
}

std::array<std::uint64_t, 3> Bench::fingerprints() {
  std::array<std::uint64_t, 3> result{};
  std::size_t at = 0;
  for (auto const& input : inputs()) {
    result[at++] = device_.engine->fingerprint(input.buffer.matrix().data, input.buffer.content_bytes());
  }
  return result;
}

void Bench::load(GemmProblem const& problem, Data data, std::uint64_t seed) {
  Loaded const wanted{.data = data, .seed = seed, .lda = problem.lda, .ldb = problem.ldb, .ldd = problem.ldd};
  if (loaded_ == wanted) return;
  loaded_.reset();
  overwritten_.clear();
  c_is_data_ = true;
  set_ = data_set(data, problem, seed);
  auto const shapes = shapes_of(problem);
  verify::Engine& engine = *device_.engine;
  engine.fill(a_.place(device_.backend, engine, shapes.a), set_.a);
  engine.fill(b_.place(device_.backend, engine, shapes.b), set_.b);
  engine.fill(c_.place(device_.backend, engine, shapes.d), set_.c);
  d_.place(device_.backend, engine, shapes.d);
  fingerprints_ = fingerprints();
  loaded_ = wanted;
}

void Bench::overwrite(Operand operand, std::int64_t row, std::int64_t column, double value) {
  MatrixView const& matrix = operand == Operand::a ? a() : b();
  std::uint32_t const bits = verify::encode(matrix.element, value);
  std::uint32_t stored[1];
  verify::store_bits(matrix.element, stored, 0, bits);
  auto const bytes = static_cast<std::size_t>(verify::bytes_of(matrix.element));
  device_.backend.copy_to_device(matrix.block(row, column, 1, 1).data, stored, bytes);
  overwritten_.push_back({operand, row, column, bits});
  fingerprints_ = fingerprints();
  loaded_.reset();
}

void Bench::place_workspace(std::size_t bytes) {
  auto const words = static_cast<std::int64_t>((bytes + 3) / 4);
  workspace_.place(device_.backend, *device_.engine,
                   {.data = nullptr,
                    .element = verify::Element::f32,
                    .rows = words == 0 ? 0 : 1,
                    .columns = words,
                    .row_stride = words,
                    .column_stride = 1});
}

void Bench::launch(GemmKernel const& kernel, GemmProblem const& problem, C c, std::string const& occasion,
                   verify::CheckList& checks) {
  d_.poison(*device_.engine);
  std::size_t const workspace_bytes = workspace_of(kernel, problem);
  place_workspace(workspace_bytes);
  if (c == C::poison) {
    c_.poison(*device_.engine);
    fingerprints_ = fingerprints();
    c_is_data_ = false;
    loaded_.reset();
  }
  void const* const addend = problem.beta != 0 || c == C::poison ? this->c().data : nullptr;
  GemmArgs args = arguments(problem, device_.backend, a(), b(), addend, d().data);
  args.workspace = workspace_.matrix().data;
  args.workspace_bytes = workspace_bytes;
  kernel.launch(args);
  device_.backend.check_launch();
  device_.backend.synchronize();
  look_around(occasion, checks);
}

void Bench::look_around(std::string const& occasion, verify::CheckList& checks) {
  verify::Engine& engine = *device_.engine;
  std::string outside;
  for (auto const* buffer : {&d_, &workspace_, &c_, &a_, &b_}) {
    if (outside.empty()) outside = buffer->damage_around(engine);
  }
  if (outside.empty()) outside = d_.damage_between_rows(engine);
  checks.note("guard_bands", with_occasion(outside, occasion));
  std::string changed;
  auto const now = fingerprints();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] != fingerprints_[i] && changed.empty()) changed = describe_change(inputs()[i]);
  }
  checks.note("inputs_untouched", with_occasion(changed, occasion));
  if (!outside.empty() || !changed.empty()) loaded_.reset();
  fingerprints_ = now;
}

std::string Bench::describe_change(Input const& input) const {
  if (auto const between = input.buffer.damage_between_rows(*device_.engine); !between.empty()) return between;
  bool const is_c = &input.buffer == &c_;
  auto expected = HostMatrix::filled(input.buffer.matrix(), is_c && !c_is_data_ ? nullptr : &input.fill);
  for (auto const& overwritten : overwritten_) {
    if (&input.buffer == (overwritten.operand == Operand::a ? &a_ : &b_)) {
      expected.set(overwritten.row, overwritten.column, overwritten.bits);
    }
  }
  return describe_input_change(device_.backend, input.name, input.buffer.matrix(), expected);
}

}  // namespace perfcheck::gemm
