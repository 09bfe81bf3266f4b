// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "timed_inputs.h"

#include "input_change.h"
#include "state.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::gemm {
namespace {

/// kPlaces sets are not worth more memory than this.
constexpr std::size_t kPlacesBytes = std::size_t{8} << 30;
/// More sets than this take longer to fill than to time.
constexpr std::size_t kMostCopies = 2048;

std::size_t input_bytes(GemmProblem const& problem) {
  auto const shapes = shapes_of(problem);
  return aligned_bytes(shapes.a) + aligned_bytes(shapes.b) + (problem.beta != 0 ? aligned_bytes(shapes.d) : 0);
}

}  // namespace

std::size_t aligned_bytes(verify::MatrixView const& matrix) {
  auto const bytes = static_cast<std::size_t>(matrix.index(matrix.rows - 1, matrix.columns - 1) + 1) *
                     static_cast<std::size_t>(verify::bytes_of(matrix.element));
  return aligned_bytes(bytes);
}

int copies_for(GemmProblem const& problem, std::int64_t cache_bytes, std::size_t free_bytes) {
  std::size_t const set_bytes = input_bytes(problem) + aligned_bytes(shapes_of(problem).d);
  std::size_t const wanted = 3 * static_cast<std::size_t>(std::max<std::int64_t>(cache_bytes, 0));
  if (problem.hot) return 1;
  std::size_t const enough = (wanted + set_bytes - 1) / set_bytes;
  std::size_t const spread = std::min<std::size_t>(worker::kPlaces, kPlacesBytes / set_bytes);
  std::size_t const fitting = std::max<std::size_t>(1, free_bytes / 4 / set_bytes);
  return static_cast<int>(std::clamp<std::size_t>(std::max(enough, spread), 1, std::min(fitting, kMostCopies)));
}

TimedInputs::TimedInputs(GemmDevice& device, GemmProblem const& problem, std::uint64_t seed)
    : problem_(problem), seed_(seed) {
  int const count = copies_for(problem, device.cache_bytes, device.backend.free_bytes());
  memory_ = device.backend.allocate(static_cast<std::size_t>(count) * input_bytes(problem));
  std::size_t offset = 0;
  auto const make = [&](verify::MatrixView matrix, verify::Fill const& fill) {
    matrix.data = memory_.bytes_at(offset);
    offset += aligned_bytes(matrix);
    device.engine->fill(matrix, fill);
    return matrix;
  };
  // Alignment gaps and row padding too: the fingerprint covers all of it.
  device.engine->fill_words(memory_.data(), verify::poison_word(element_of(problem.types)), memory_.size());
  auto const shapes = shapes_of(problem);
  for (int copy = 0; copy < count; ++copy) {
    auto const set = data_set(Data::signed_values, problem, seed_of_copy(seed, copy));
    Matrices matrices{.a = make(shapes.a, set.a), .b = make(shapes.b, set.b), .c = shapes.d};
    if (problem.beta != 0) matrices.c = make(shapes.d, set.c);
    sets_.push_back(matrices);
  }
  fingerprint_ = device.engine->fingerprint(memory_.data(), memory_.size());
}

std::string TimedInputs::change(GemmDevice& device) const {
  if (device.engine->fingerprint(memory_.data(), memory_.size()) == fingerprint_) return "";
  for (int index = 0; index < copies(); ++index) {
    auto const set = data_set(Data::signed_values, problem_, seed_of_copy(seed_, index));
    auto const& matrices = copy(index);
    struct Input {
      char const* name;
      verify::MatrixView const& matrix;
      verify::Fill const& fill;
    };
    for (auto const& [name, matrix, fill] :
         {Input{"A", matrices.a, set.a}, {"B", matrices.b, set.b}, {"C", matrices.c, set.c}}) {
      if (matrix.data == nullptr) continue;
      auto const before = HostMatrix::filled(matrix, &fill);
      auto const now = HostMatrix::copied(device.backend, matrix);
      if (verify::make_host_engine()->find_different(now.view(), before.view()).count != 0) {
        return fmt::format("timed launches changed an input: {}",
                           describe_input_change(device.backend, name, matrix, before));
      }
    }
  }
  return "timed launches wrote between the rows of an input, or between inputs";
}

}  // namespace perfcheck::gemm
