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
  auto const shapes = shapes_of(problem);
  return aligned_bytes(shapes.a) + aligned_bytes(shapes.b) + (problem.beta != 0 ? aligned_bytes(shapes.d) : 0);
}

std::size_t most_places(std::size_t set_bytes) {
  return std::min<std::size_t>(worker::kPlaces, kPlacesBytes / set_bytes);
}

}  // namespace

std::size_t aligned_bytes(verify::MatrixView const& matrix) {
  auto const bytes = static_cast<std::size_t>(matrix.index(matrix.rows - 1, matrix.columns - 1) + 1) *
                     static_cast<std::size_t>(verify::bytes_of(matrix.element));
  return aligned_bytes(bytes);
}

int sets_for(GemmProblem const& problem, SetSpace const& space) {
  std::size_t const set_bytes = input_bytes(problem) + aligned_bytes(shapes_of(problem).d);
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
  device.engine->fill_words(memory_.data(), verify::poison_word(element_of(problem.types)), memory_.size());
  auto const shapes = shapes_of(problem);
  std::size_t offset = 0;
  int operand = 0;
  for (auto const& shape : {shapes.a, shapes.b, shapes.d}) {
    auto& matrices = matrices_[static_cast<std::size_t>(operand)];
    matrices = {.first = shape, .set_bytes = static_cast<std::int64_t>(set_bytes), .operand = operand};
    if (operand < 2 || problem.beta != 0) matrices.first.data = memory_.bytes_at(offset);
    offset += aligned_bytes(shape);
    ++operand;
  }
}

std::string TimedInputs::change(GemmDevice& device, int sets, std::uint64_t secret) const {
  if (device.engine->count_changed(matrices(), {0, sets}, secret) == 0) return "";
  constexpr char const* kNames[] = {"A", "B", "C"};
  for (int set = 0; set < sets; ++set) {
    for (auto const& input : matrices()) {
      auto const now = HostMatrix::copied(device.backend, input.of(set));
      auto const before = HostMatrix::renewed(input.of(set), verify::secret_key(secret, set, input.operand));
      if (verify::make_host_engine()->find_different(now.view(), before.view()).count != 0) {
        return fmt::format("timed launches changed an input: {}",
                           describe_input_change(device.backend, kNames[input.operand], input.of(set), before));
      }
    }
  }
  return "timed launches changed an input, and back before it could be looked at";
}

ProofTask TimedInputs::proof_task(verify::MatrixView const& d, std::size_t d_set_bytes, int sets, std::uint64_t secret,
                                  std::uint64_t draw) const {
  return {.a = a(),
          .b = b(),
          .c = c(),
          .d = d,
          .d_set_bytes = static_cast<std::int64_t>(d_set_bytes),
          .sets = sets,
          .secret = secret,
          .draw = draw,
          .alpha = static_cast<double>(problem_.alpha),
          .beta = static_cast<double>(problem_.beta),
          .bound = bound_for(Data::signed_values, problem_)};
}

std::string TimedInputs::what_is_wrong(GemmDevice& device, int set, std::uint64_t secret,
                                       verify::MatrixView const& d) const {
  device.engine->renew(matrices(), {set, 1}, secret, {});
  auto const reference = compute_reference(device, Data::signed_values, a().of(set), b().of(set));
  verify::MatrixView addend = c().first;
  if (addend.data != nullptr) addend = c().of(set);
  auto const expected = expectation(problem_, Data::signed_values, reference, addend);
  auto const comparison = device.engine->compare(d, expected);
  return comparison.wrong.count == 0 ? "" : verify::describe_mismatch(device.backend, d, expected, comparison);
}

}  // namespace perfcheck::gemm
