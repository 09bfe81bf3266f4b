// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How an operation describes one of its problems to the kit: what kernels read, what they write, and how they are
// launched. From that, the kit makes everything else: buffers, sets, guards, poison, fresh inputs, timed and sealed
// cases.
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

/// The limit of verify::Engine::renew().
inline constexpr int kMostInputs = 8;

/// A matrix that a kernel reads or writes.
struct Operand {
  int number = 0;                    ///< identifies an input of a problem, below kMostInputs; unused for an output
  char const* name = "";             ///< in messages
  verify::MatrixView shape{};        ///< without memory
  bool scales = false;               ///< whether the elements are scale factors, which are positive
  int exponent = 0;                  ///< scale factors are near 2^exponent, so that results stay within their format
  std::int64_t stacked_rows = 0;     ///< rows of one matrix, if several are stacked by rows
  std::int64_t stacked_columns = 0;  ///< likewise by columns

  bool operator==(Operand const&) const = default;
};

/// The inputs of one launch in memory, by number. Numbers that are not in use have a null data pointer.
class Inputs {
 public:
  verify::MatrixView& operator[](int number) { return views_[static_cast<std::size_t>(number)]; }
  verify::MatrixView const& operator[](int number) const { return views_[static_cast<std::size_t>(number)]; }

 private:
  std::array<verify::MatrixView, kMostInputs> views_;
};

/// The buffers of one launch, all aligned to 256 bytes.
struct Buffers {
  Inputs inputs;
  verify::MatrixView output;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  Stream stream = nullptr;
};

/// A kernel with the arguments of several launches.
class Launches {
 public:
  virtual ~Launches() = default;
  /// Makes the arguments for one more launch.
  virtual void add(Buffers const& buffers) = 0;
  /// Enqueues the launch that was added as number `index`, from 0. Throws on failure.
  virtual void launch(std::size_t index) = 0;
  /// Waits. For memory that launches are given besides `Buffers`: what they wrote around it, as text for a person;
  /// empty if nothing.
  virtual std::string damage_around() const { return ""; }
  /// Waits. What they changed in that memory, likewise.
  virtual std::string change() const { return ""; }
};

/// Zeroes the padding: a kernel may be passed the structure itself, and the hash of its arguments covers every byte.
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
  std::deque<Args> args_;  // a deque never moves its elements; a copy need not preserve the cleared padding
};

template <class Make, class Run>
std::unique_ptr<Launches> make_launches(Make make, Run run) {
  using Args = decltype(make(std::declval<Buffers const&>()));
  return std::make_unique<LaunchesOf<Args, Make, Run>>(std::move(make), std::move(run));
}

struct Device;

/// An input whose values must obey rules of their own, such as ascending indices. It is made from the secret like the
/// others, but not by the engine.
class OtherInput {
 public:
  virtual ~OtherInput() = default;
  virtual Operand operand() const = 0;
  /// Enqueues: writes the input of these sets. Called right before Engine::renew() with the same secret.
  virtual void renew(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) = 0;
  /// Enqueues: writes the input of set 0, from a secret in device memory.
  virtual void renew_from(verify::SecretMatrices const& input, std::uint64_t const* secret) = 0;
  /// Waits. How the input differs from what renew() wrote, as text for a person; empty when it does not.
  virtual std::string change(verify::SecretMatrices const& input, verify::SetRange sets, std::uint64_t secret) = 0;
};

/// One problem of an operation.
class Definition {
 public:
  virtual ~Definition() = default;
  /// What a launch may read, each with its own number.
  virtual std::vector<Operand> inputs() const = 0;
  /// What a launch must write, every element of it.
  virtual Operand output() const = 0;
  /// Whether the problem is timed with inputs that stay in the cache.
  virtual bool hot() const = 0;
  /// Size of the scratch memory that a kernel needs.
  virtual std::size_t workspace_bytes(KernelInfo const& kernel) const = 0;
  /// An object for at most `most` launches, without arguments yet. The kernel belongs to this operation and runs the
  /// problem. The device outlives the object.
  virtual std::unique_ptr<Launches> launches(KernelInfo const& kernel, Device& device, int most) const = 0;
  /// At most one more input, which inputs() does not list; null if there is none.
  virtual std::shared_ptr<OtherInput> other_input(Device& /*device*/) const { return nullptr; }
  /// Whether a launch can write to any output that it is given while it is recorded.
  virtual bool can_be_sealed() const { return true; }
};

/// Bytes of inputs() and of the output, without gaps between rows: the minimum that a launch has to move.
double bytes_moved(Definition const& definition);

/// Rounds up to the alignment of buffers.
constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
/// Bytes of a matrix from first to last element, rounded up likewise.
std::size_t aligned_bytes(verify::MatrixView const& matrix);

}  // namespace perfcheck::kit
