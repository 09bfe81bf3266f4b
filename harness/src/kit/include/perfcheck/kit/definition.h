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
  /// Without any arguments yet. The kernel is of this operation, and runs the problem.
  virtual std::unique_ptr<Launches> launches(KernelInfo const& kernel) const = 0;
};

/// Bytes of all inputs and of the output, without gaps between rows: what a launch has to move at least.
double bytes_moved(Definition const& definition);

/// Rounded up to the alignment of kernel arguments.
constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
/// Bytes of a matrix from first to last element, rounded up likewise.
std::size_t aligned_bytes(verify::MatrixView const& matrix);

}  // namespace perfcheck::kit
