// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include "input_change.h"
#include "state.h"

namespace perfcheck::gemm {
namespace {

std::string with_occasion(std::string const& what, std::string const& occasion) {
  return what.empty() ? what : what + " (" + occasion + ")";
}

}  // namespace

Bench::Fingerprints Bench::fingerprints() {
  Fingerprints result{};
  for (Operand const& operand : operands_) {
    auto const& of = buffer(operand.input);
    result[static_cast<std::size_t>(operand.input)] = device_.engine->fingerprint(of.matrix().data, of.content_bytes());
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
  operands_ = inputs_of(problem);
  matrices_ = Matrices();
  verify::Engine& engine = *device_.engine;
  for (Operand const& operand : operands_) {
    verify::GuardedBuffer& of = buffer(operand.input);
    of.rename(operand.name);
    matrices_[operand.input] = of.place(device_.backend, engine, operand.shape);
    engine.fill(of.matrix(), set_.of(operand.input));
  }
  load_indices(problem, verify::mix(seed, static_cast<std::uint64_t>(data), 0));
  d_.place(device_.backend, engine, shape_of_d(problem));
  tables_.place(device_, problem, 1);
  fingerprints_ = fingerprints();
  loaded_ = wanted;
}

void Bench::load_indices(GemmProblem const& problem, std::uint64_t secret) {
  indices_ = indices_of_a(problem);
  indices_secret_ = secret;
  if (!problem.sparse24) return;
  verify::GuardedBuffer& of = buffer(Input::a_indices);
  of.rename("the indices of A");
  indices_.first = matrices_[Input::a_indices] = of.place(device_.backend, *device_.engine, indices_.first);
  device_.sparse->renew(indices_, {0, 1}, secret);
}

void Bench::overwrite(Input input, std::int64_t row, std::int64_t column, double value) {
  verify::MatrixView const& matrix = matrices_[input];
  verify::Bits const bits = verify::encode(matrix.element, value);
  verify::Bits stored = 0;
  verify::store_bits(matrix.element, &stored, 0, bits);
  auto const bytes = static_cast<std::size_t>(verify::bytes_of(matrix.element, 1));
  device_.backend.copy_to_device(matrix.block(row, column, 1, 1).data, &stored, bytes);
  overwritten_.push_back({input, row, column, bits});
  fingerprints_ = fingerprints();
  loaded_.reset();
}

void Bench::place_workspace(std::size_t bytes) {
  auto const words = static_cast<std::int64_t>((bytes + 3) / 4);
  workspace_.place(device_.backend, *device_.engine,
                   {.data = nullptr,
                    .element = Element::f32,
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
    buffer(Input::c).poison(*device_.engine);
    fingerprints_ = fingerprints();
    c_is_data_ = false;
    loaded_.reset();
  }
  Matrices given = matrices_;
  if (problem.beta == 0 && c != C::poison) given[Input::c].data = nullptr;
  GemmFullArgs args = arguments(problem, device_.backend, given, d().data);
  args.workspace = workspace_.matrix().data;
  args.workspace_bytes = workspace_bytes;
  tables_.give(args, 0);
  launch_kernel(kernel, args);
  device_.backend.check_launch();
  device_.backend.synchronize();
  look_around(occasion, checks);
}

void Bench::look_around(std::string const& occasion, verify::CheckList& checks) {
  verify::Engine& engine = *device_.engine;
  std::string outside = d_.damage_around(engine);
  if (outside.empty()) outside = workspace_.damage_around(engine);
  for (Operand const& operand : operands_) {
    if (outside.empty()) outside = buffer(operand.input).damage_around(engine);
  }
  if (outside.empty()) outside = tables_.damage_around(engine);
  if (outside.empty() && indices_.first.rows != 0) outside = buffer(Input::a_indices).damage_around(engine);
  if (outside.empty()) outside = d_.damage_between_rows(engine);
  checks.note("guard_bands", with_occasion(outside, occasion));
  std::string changed;
  auto const now = fingerprints();
  for (Operand const& operand : operands_) {
    auto const at = static_cast<std::size_t>(operand.input);
    if (now[at] != fingerprints_[at] && changed.empty()) changed = describe_change(operand);
  }
  if (changed.empty()) changed = tables_.change(device_.backend);
  if (changed.empty()) changed = describe_index_change(device_, indices_, {0, 1}, indices_secret_);
  checks.note("inputs_untouched", with_occasion(changed, occasion));
  if (!outside.empty() || !changed.empty()) loaded_.reset();
  fingerprints_ = now;
}

std::string Bench::describe_change(Operand const& operand) {
  auto const& of = buffer(operand.input);
  if (auto const between = of.damage_between_rows(*device_.engine); !between.empty()) return between;
  bool const poisoned = operand.input == Input::c && !c_is_data_;
  auto expected = HostMatrix::filled(of.matrix(), poisoned ? nullptr : &set_.of(operand.input));
  for (auto const& overwritten : overwritten_) {
    if (overwritten.input == operand.input) expected.set(overwritten.row, overwritten.column, overwritten.bits);
  }
  return describe_input_change(device_.backend, operand.name, of.matrix(), expected);
}

}  // namespace perfcheck::gemm
