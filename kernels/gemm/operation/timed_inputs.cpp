// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_inputs.h"

#include "input_change.h"
#include "state.h"

#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gemm {
namespace {

/// kPlaces sets are not worth more memory than this.
constexpr std::size_t kPlacesBytes = std::size_t{8} << 30;
/// More sets than this take longer to fill than to time.
constexpr std::size_t kMostSets = 2048;

std::size_t input_bytes(GemmProblem const& problem) {
  std::size_t bytes = 0;
  for (Operand const& operand : read_inputs_of(problem)) bytes += aligned_bytes(operand.shape);
  if (problem.sparse24) bytes += aligned_bytes(indices_of_a(problem).first);
  return bytes;
}

std::size_t most_places(std::size_t set_bytes) {
  return std::min<std::size_t>(worker::kPlaces, kPlacesBytes / set_bytes);
}

}  // namespace

std::size_t aligned_bytes(verify::MatrixView const& matrix) {
  auto const elements = matrix.index(matrix.rows - 1, matrix.columns - 1) + 1;
  return aligned_bytes(static_cast<std::size_t>(verify::bytes_of(matrix.element, elements)));
}

int sets_for(GemmProblem const& problem, SetSpace const& space) {
  std::size_t const set_bytes = input_bytes(problem) + aligned_bytes(shape_of_d(problem));
  auto const cache = static_cast<std::size_t>(std::max<std::int64_t>(space.cache, 0));
  auto const hot = static_cast<std::size_t>(std::max<std::int64_t>(space.hot, 0));
  std::size_t const fitting = std::min(std::max<std::size_t>(1, space.free / 4 / set_bytes), kMostSets);
  if (problem.hot) return static_cast<int>(std::clamp<std::size_t>(hot / set_bytes, 1, fitting));
  std::size_t const enough = (3 * cache + set_bytes - 1) / set_bytes;
  std::size_t const reach = std::min<std::size_t>(worker::kMostLaunches, space.reach / set_bytes);
  return static_cast<int>(std::clamp<std::size_t>(std::max({enough, most_places(set_bytes), reach}), 1, fitting));
}

int places_for(GemmProblem const& problem, device::Backend& backend) {
  if (backend.name() == "cpu") return 1;
  std::size_t const set_bytes = input_bytes(problem);
  return std::max(1, static_cast<int>(std::min(most_places(set_bytes), backend.free_bytes() / 8 / set_bytes)));
}

TimedInputs::TimedInputs(GemmDevice& device, GemmProblem const& problem, int sets) : problem_(problem), sets_(sets) {
  std::size_t const set_bytes = input_bytes(problem);
  memory_ = device.backend.allocate(static_cast<std::size_t>(sets_) * set_bytes);
  // Alignment gaps and row padding keep the poison.
  device.engine->fill_words(memory_.data(), verify::poison_word(problem.types.a), memory_.size());
  std::size_t offset = 0;
  for (Operand const& operand : read_inputs_of(problem)) {
    matrices_.push_back({.first = operand.shape,
                         .set_bytes = static_cast<std::int64_t>(set_bytes),
                         .operand = static_cast<int>(operand.input),
                         .scales = operand.scales,
                         .exponent = operand.exponent});
    matrices_.back().first.data = memory_.bytes_at(offset);
    offset += aligned_bytes(operand.shape);
  }
  indices_ = indices_of_a(problem);
  if (!problem.sparse24) return;
  indices_.set_bytes = static_cast<std::int64_t>(set_bytes);
  indices_.first.data = memory_.bytes_at(offset);
}

void TimedInputs::renew_indices(GemmDevice& device, verify::SetRange sets, std::uint64_t secret) const {
  if (problem_.sparse24) device.sparse->renew(indices_, sets, secret);
}

void TimedInputs::renew_indices_from(GemmDevice& device, int set, std::uint64_t const* secret) const {
  if (!problem_.sparse24) return;
  verify::SecretMatrices one = indices_;
  one.first = indices_.of(set);
  device.sparse->renew_from(one, secret);
}

Matrices TimedInputs::of(int set) const {
  Matrices matrices;
  for (auto const& input : matrices_) matrices[static_cast<Input>(input.operand)] = input.of(set);
  if (problem_.sparse24) matrices[Input::a_indices] = indices_.of(set);
  return matrices;
}

std::string TimedInputs::change(GemmDevice& device, int sets, std::uint64_t secret) const {
  if (device.engine->count_changed(matrices(), {0, sets}, secret) == 0) {
    auto const changed = describe_index_change(device, indices_, {0, sets}, secret);
    return changed.empty() ? "" : "timed launches changed an input: " + changed;
  }
  auto const operands = read_inputs_of(problem_);
  for (int set = 0; set < sets; ++set) {
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      auto const now = HostMatrix::copied(device.backend, matrices_[i].of(set));
      auto const before = HostMatrix::renewed(matrices_[i], secret, set);
      if (verify::make_host_engine()->find_different(now.view(), before.view()).count != 0) {
        return fmt::format("timed launches changed an input: {}",
                           describe_input_change(device.backend, operands[i].name, matrices_[i].of(set), before));
      }
    }
  }
  return "timed launches changed an input, and back before it could be looked at";
}

ProofTask TimedInputs::proof_task(verify::MatrixView const& d, std::size_t d_set_bytes, int sets, std::uint64_t secret,
                                  std::uint64_t draw) const {
  ProofTask task{.types = problem_.types,
                 .parts = row_parts(problem_),
                 .d = d,
                 .d_set_bytes = static_cast<std::int64_t>(d_set_bytes),
                 .sets = sets,
                 .secret = secret,
                 .draw = draw,
                 .epilogue = epilogue_of(problem_),
                 .bound = bound_for(Data::signed_values, problem_)};
  for (auto const& input : matrices_) task.inputs[static_cast<std::size_t>(input.operand)] = input;
  task.inputs[static_cast<std::size_t>(Input::a_indices)] = indices_;
  return task;
}

std::string TimedInputs::what_is_wrong(GemmDevice& device, int set, std::uint64_t secret,
                                       verify::MatrixView const& d) const {
  renew_indices(device, {set, 1}, secret);
  device.engine->renew(matrices(), {set, 1}, secret, {});
  Matrices const matrices = of(set);
  auto const reference = compute_reference(device, problem_, Data::signed_values, matrices);
  auto const expected = expectation(problem_, Data::signed_values, reference, matrices);
  auto const comparison = device.engine->compare(d, expected);
  if (comparison.wrong.count == 0) return "";
  return verify::describe_mismatch(device.backend, d, expected, comparison) +
         describe_row(row_parts(problem_), comparison.wrong.first_row);
}

}  // namespace perfcheck::gemm
