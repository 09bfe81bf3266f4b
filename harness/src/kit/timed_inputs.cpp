// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/timed_inputs.h"

#include "input_change.h"

#include "perfcheck/worker/operation.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::kit {
namespace {

/// The most memory that is spent to reach kPlaces sets.
constexpr std::size_t kPlacesBytes = std::size_t{8} << 30;
/// More sets than this take longer to fill than to time.
constexpr std::size_t kMostSets = 2048;

std::size_t bytes_of(std::vector<Operand> const& operands) {
  std::size_t bytes = 0;
  for (Operand const& operand : operands) bytes += aligned_bytes(operand.shape);
  return bytes;
}

/// One input of one set.
verify::SecretMatrices only(verify::SecretMatrices matrices, int set) {
  matrices.first = matrices.of(set);
  matrices.set_bytes = 0;
  return matrices;
}

std::size_t most_places(std::size_t set_bytes) {
  return std::min<std::size_t>(worker::kPlaces, kPlacesBytes / set_bytes);
}

}  // namespace

int sets_for(Definition const& definition, SetSpace const& space) {
  std::size_t const set_bytes = bytes_of(definition.inputs()) + aligned_bytes(definition.output().shape);
  auto const cache = static_cast<std::size_t>(std::max<std::int64_t>(space.cache, 0));
  auto const hot = static_cast<std::size_t>(std::max<std::int64_t>(space.hot, 0));
  std::size_t const fitting = std::min(std::max<std::size_t>(1, space.free / 4 / set_bytes), kMostSets);
  if (definition.hot()) return static_cast<int>(std::clamp<std::size_t>(hot / set_bytes, 1, fitting));
  std::size_t const enough = (3 * cache + set_bytes - 1) / set_bytes;
  std::size_t const reach = std::min<std::size_t>(worker::kMostLaunches, space.reach / set_bytes);
  return static_cast<int>(std::clamp<std::size_t>(std::max({enough, most_places(set_bytes), reach}), 1, fitting));
}

int places_for(Definition const& definition, device::Backend& backend) {
  if (backend.name() == "cpu") return 1;
  std::size_t const set_bytes = bytes_of(definition.inputs());
  return std::max(1, static_cast<int>(std::min(most_places(set_bytes), backend.free_bytes() / 8 / set_bytes)));
}

TimedInputs::TimedInputs(Device& device, Definition const& definition, int sets)
    : operands_(definition.inputs()), sets_(sets), other_(definition.other_input(device)) {
  Operand const other = other_ ? other_->operand() : Operand{};
  std::size_t const other_offset = bytes_of(operands_);
  std::size_t const set_bytes = other_offset + (other_ ? aligned_bytes(other.shape) : 0);
  memory_ = device.backend.allocate(static_cast<std::size_t>(sets_) * set_bytes);
  // Alignment gaps and row padding keep the poison.
  device.engine->fill_words(memory_.data(), verify::poison_word(operands_.front().shape.element), memory_.size());
  std::size_t offset = 0;
  for (Operand const& operand : operands_) {
    matrices_.push_back({.first = operand.shape,
                         .set_bytes = static_cast<std::int64_t>(set_bytes),
                         .operand = operand.number,
                         .scales = operand.scales,
                         .exponent = operand.exponent});
    matrices_.back().first.data = memory_.bytes_at(offset);
    offset += aligned_bytes(operand.shape);
  }
  if (!other_) return;
  others_ = {.first = other.shape, .set_bytes = static_cast<std::int64_t>(set_bytes), .operand = other.number};
  others_.first.data = memory_.bytes_at(other_offset);
}

void TimedInputs::renew(Device& device, verify::SetRange sets, std::uint64_t secret,
                        std::span<verify::PoisonedMemory const> poisoned) const {
  if (other_) other_->renew(others_, sets, secret);
  device.engine->renew(matrices_, sets, secret, poisoned);
}

void TimedInputs::renew_step(Device& device, int set, std::uint64_t secret,
                             std::span<verify::PoisonedMemory const> poisoned) const {
  if (other_) other_->renew(others_, {set, 1}, secret);
  device.engine->renew_step(matrices_, set, secret, poisoned);
}

void TimedInputs::renew_late(Device& device, std::uint64_t secret,
                             std::span<verify::PoisonedMemory const> poisoned) const {
  if (other_) other_->renew(others_, {0, 1}, secret);
  device.engine->renew_late(matrices_, {0, 1}, secret, poisoned);
}

void TimedInputs::renew_from(Device& device, int set, std::uint64_t const* secret) const {
  if (other_) other_->renew_from(only(others_, set), secret);
  std::vector<verify::SecretMatrices> of_set;
  for (auto const& matrices : matrices_) of_set.push_back(only(matrices, set));
  device.engine->renew_from(of_set, secret);
}

Inputs TimedInputs::of(int set) const {
  Inputs inputs;
  for (auto const& matrices : matrices_) inputs[matrices.operand] = matrices.of(set);
  if (other_) inputs[others_.operand] = others_.of(set);
  return inputs;
}

std::string TimedInputs::change(Device& device, int sets, std::uint64_t secret) const {
  if (device.engine->count_changed(matrices(), {0, sets}, secret) == 0) {
    auto const changed = other_ ? other_->change(others_, {0, sets}, secret) : "";
    return changed.empty() ? "" : "timed launches changed an input: " + changed;
  }
  for (int set = 0; set < sets; ++set) {
    for (std::size_t i = 0; i < matrices_.size(); ++i) {
      auto const now = HostMatrix::copied(device.backend, matrices_[i].of(set));
      auto const before = HostMatrix::renewed(matrices_[i], secret, set);
      if (verify::make_host_engine()->find_different(now.view(), before.view()).count != 0) {
        return fmt::format("timed launches changed an input: {}",
                           describe_input_change(device.backend, operands_[i].name, matrices_[i].of(set), before));
      }
    }
  }
  return "timed launches changed an input, and back before it could be looked at";
}

std::string TimedInputs::what_is_wrong(Device& device, Proof& proof, int set, std::uint64_t secret,
                                       verify::MatrixView const& output) const {
  renew(device, {set, 1}, secret, {});
  return proof.what_is_wrong(of(set), output);
}

}  // namespace perfcheck::kit
