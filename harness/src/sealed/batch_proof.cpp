// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "batch_proof.h"

#include "perfcheck/verify/draw_secret.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::sealed {
namespace {

/// Drawn outputs are copied before they are checked, so that nobody can change them meanwhile.
constexpr int kMostCopies = 32;
constexpr std::size_t kCopyBytes = std::size_t{2} << 30U;

/// `count` different numbers from 0 to `below` - 1, in order.
std::vector<int> draw_numbers(int count, int below) {
  std::set<int> numbers;
  while (static_cast<int>(numbers.size()) < std::min(count, below)) {
    numbers.insert(static_cast<int>(verify::draw_secret() % static_cast<std::uint64_t>(below)));
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace

BatchProof::BatchProof(device::Backend& backend, worker::SealedProof& proof, std::size_t most_bytes, int most_launches)
    : backend_(backend), proof_(proof) {
  std::size_t const each = proof.output_bytes();
  most_launches_ =
      static_cast<int>(std::clamp<std::size_t>(most_bytes / each, 2, static_cast<std::size_t>(most_launches)));
  copies_ = static_cast<int>(std::clamp<std::size_t>(kCopyBytes / each, 2, kMostCopies));
  outputs_ = backend.allocate_shared(static_cast<std::size_t>(most_launches_) * each);
  private_ = backend.allocate(static_cast<std::size_t>(copies_) * each);
  secrets_ = backend.allocate(static_cast<std::size_t>(most_launches_ + 1) * sizeof(std::uint64_t));
}

void* BatchProof::output(int index) const {
  return outputs_.memory.bytes_at(static_cast<std::size_t>(index) * proof_.output_bytes());
}

void* BatchProof::copy(int slot) const {
  return private_.bytes_at(static_cast<std::size_t>(slot) * proof_.output_bytes());
}

void BatchProof::poison(int launches) {
  proof_.engine().fill_words(output(0), proof_.poison_word(),
                             static_cast<std::size_t>(launches) * proof_.output_bytes());
  backend_.synchronize();
}

std::vector<std::uint64_t> BatchProof::secrets_of(int launches, std::uint64_t first, std::vector<int> const& drawn) {
  std::vector<std::uint64_t> secrets(static_cast<std::size_t>(launches) + 1, 0);
  secrets.front() = first;
  auto* const on_device = static_cast<std::uint64_t*>(secrets_.data());
  backend_.copy_to_device(on_device, secrets.data(), secrets.size() * sizeof first);
  auto const chain = [&](void const* from, int index) {
    proof_.engine().chain(from, proof_.output_bytes(), on_device + index, on_device + index + 1);
  };
  for (int index = 0; index + 1 < launches; ++index) {
    auto const at = std::lower_bound(drawn.begin(), drawn.end(), index);
    bool const copied = at != drawn.end() && *at == index;
    chain(copied ? copy(1 + static_cast<int>(at - drawn.begin())) : output(index), index);
  }
  chain(copy(0), launches - 1);
  backend_.copy_to_host(secrets.data(), on_device, secrets.size() * sizeof first);
  return secrets;
}

std::string BatchProof::finding(int launches, std::uint64_t first, std::uint64_t last, int wanted) {
  auto const drawn = draw_numbers(std::min(wanted, copies_ - 1), launches - 1);
  proof_.engine().copy(copy(0), output(launches - 1), proof_.output_bytes());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    proof_.engine().copy(copy(1 + static_cast<int>(i)), output(drawn[i]), proof_.output_bytes());
  }
  auto const secrets = secrets_of(launches, first, drawn);
  auto const judge = [&](int slot, int index) {
    ++verified_;
    auto const wrong = proof_.finding(copy(slot), secrets[static_cast<std::size_t>(index)], verify::draw_secret());
    return wrong.empty() ? "" : fmt::format("launch {} of {}: {}", index + 1, launches, wrong);
  };
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (auto wrong = judge(1 + static_cast<int>(i), drawn[i]); !wrong.empty()) return wrong;
  }
  if (auto wrong = judge(0, launches - 1); !wrong.empty()) return wrong;
  if (secrets.back() == last) return "";
  return fmt::format(
      "the outputs of {} launches are not those that the batch ended with: something was written when the clock had "
      "stopped",
      launches);
}

}  // namespace perfcheck::sealed
