// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation tells the kit about one of its problems: what kernels are given, what they write, and how they are
// launched. The kit makes everything else of it: buffers, sets, guards, poison, fresh inputs, timed and sealed cases.
#pragma once

#include <perfcheck/kernel.h>

#include "perfcheck/verify/secret_data.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::kit {

/// As many as verify::Engine::renew() takes.
inline constexpr int kMostInputs = 8;

/// A matrix that a kernel is given or writes.
struct Operand {
  int number = 0;                    ///< tells a problem's inputs apart, below kMostInputs; means nothing for an output
  char const* name = "";             ///< in messages
  verify::MatrixView shape{};        ///< without memory
  bool scales = false;               ///< factors, which are positive
  int exponent = 0;                  ///< of timed factors, so that results keep within the range of their format
  std::int64_t stacked_rows = 0;     ///< of one matrix, where several are stacked by rows
  std::int64_t stacked_columns = 0;  ///< likewise by columns

  bool operator==(Operand const&) const = default;
};

/// Inputs of one launch in memory, by number. Those that are not there have no data.
class Inputs {
 public:
  verify::MatrixView& operator[](int number) { return views_[static_cast<std::size_t>(number)]; }
  verify::MatrixView const& operator[](int number) const { return views_[static_cast<std::size_t>(number)]; }

 private:
  std::array<verify::MatrixView, kMostInputs> views_;
};

/// The memory of one launch, which is aligned to 256 bytes.
struct Buffers {
  Inputs inputs;
  verify::MatrixView output;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  Stream stream = nullptr;
};

/// A kernel with the arguments of some launches.
class Launches {
 public:
  virtual ~Launches() = default;
  /// Arguments for one more launch.
  virtual void add(Buffers const& buffers) = 0;
  /// Enqueues the launch that was added as number `index`, from 0. Throws on failure.
  virtual void launch(std::size_t index) = 0;
  /// Waits. What launches wrote around whatever they are given besides buffers, as text for a person; empty when
  /// nothing.
  virtual std::string damage_around() const { return ""; }
  /// Waits. What they changed of it, likewise.
  virtual std::string change() const { return ""; }
};

/// A kernel may be given arguments as they are, and the hash of what it is given is of every byte.
template <class Args>
void clear_padding([[maybe_unused]] Args& args) {
#if __has_builtin(__builtin_clear_padding)  // nvcc's host compilers have it; clang gets no kernels to hash
  __builtin_clear_padding(&args);
#endif
}

/// Launches of kernels that take one structure: `make` fills it in, `run` launches with it.
template <class Args, class Make, class Run>
class LaunchesOf final : public Launches {
 public:
  LaunchesOf(Make make, Run run) : make_(std::move(make)), run_(std::move(run)) {}

  void add(Buffers const& buffers) override {
    args_.push_back(make_(buffers));
    clear_padding(args_.back());
  }
  void launch(std::size_t index) override { run_(args_[index]); }

 private:
  Make make_;
  Run run_;
  std::deque<Args> args_;  // which never moves them: a copy need not keep cleared padding
};

template <class Make, class Run>
std::unique_ptr<Launches> make_launches(Make make, Run run) {
  using Args = decltype(make(std::declval<Buffers const&>()));
  return std::make_unique<LaunchesOf<Args, Make, Run>>(std::move(make), std::move(run));
}

struct Device;

/// An input whose values follow rules of their own, such as indices in order: made from the secret like the others, but
/// not by the engine.
class OtherInput {
 public:
  virtual ~OtherInput() = default;
  virtual Operand operand() const = 0;
  /// Enqueues: writes the input of some sets. Called right in front of Engine::renew() with the same secret.
  virtual void renew(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) = 0;
  /// Enqueues: that of set 0, from a secret in device memory.
  virtual void renew_from(verify::SecretMatrices const& input, std::uint64_t const* secret) = 0;
  /// Waits. What became of what renew() wrote, as text for a person; empty when nothing did.
  virtual std::string change(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) = 0;
};

/// One problem of an operation.
class Definition {
 public:
  virtual ~Definition() = default;
  /// What a launch may read, each with a number of its own.
  virtual std::vector<Operand> inputs() const = 0;
  /// What it has to write, every element.
  virtual Operand output() const = 0;
  /// Timed with inputs that stay in the cache.
  virtual bool hot() const = 0;
  /// Scratch memory that a kernel wants.
  virtual std::size_t workspace_bytes(KernelInfo const& kernel) const = 0;
  /// For as many as `most` launches, without any arguments yet. The kernel is of this operation, and runs the problem.
  /// The device outlives them.
  virtual std::unique_ptr<Launches> launches(KernelInfo const& kernel, Device& device, int most) const = 0;
  /// At most one more input, which inputs() does not name; null without.
  virtual std::shared_ptr<OtherInput> other_input(Device& /*device*/) const { return nullptr; }
  /// Whether a launch can write to any output that it is given while it is recorded.
  virtual bool can_be_sealed() const { return true; }
};

/// Bytes of all inputs and of the output, without gaps between rows: what a launch has to move at least.
double bytes_moved(Definition const& definition);

/// Rounded up to the alignment of kernel arguments.
constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
/// Bytes of a matrix from first to last element, rounded up likewise.
std::size_t aligned_bytes(verify::MatrixView const& matrix);

}  // namespace perfcheck::kit
