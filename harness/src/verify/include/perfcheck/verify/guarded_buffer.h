// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory handed to a kernel under test, with poison all around what it may touch.
#pragma once

#include "perfcheck/verify/engine.h"

#include <string>

namespace perfcheck::verify {

/// One matrix between two guard bands. Guard bands, the gaps between rows and, until somebody writes it, the matrix
/// hold poison: reading outside shows as NaN in a result, writing outside in damage_around() or damage_between_rows().
class GuardedBuffer {
 public:
  static constexpr std::size_t kGuardBytes = 64 * 1024;

  explicit GuardedBuffer(std::string name = "") : name_(std::move(name)) {}
  /// Sets the name that messages use.
  void rename(std::string name) { name_ = std::move(name); }

  /// Lays a matrix of this shape between the guard bands and poisons everything. Allocates only when it needs more
  /// memory than it has. Throws device::DeviceError.
  MatrixView place(device::Backend& backend, Engine& engine, MatrixView shape);
  /// The matrix; its data is aligned to 256 bytes, and null when it has no elements.
  MatrixView const& matrix() const { return matrix_; }
  /// The size from the first element to the last, gaps between rows included.
  std::size_t content_bytes() const;
  /// Poisons everything again.
  void poison(Engine& engine);
  /// Describes what was written outside the matrix; empty when nothing was.
  std::string damage_around(Engine& engine) const;
  /// The same for the gaps between rows (columns of a matrix that is stored by columns).
  std::string damage_between_rows(Engine& engine) const;

 private:
  std::int64_t content_elements() const;

  std::string name_;
  device::Memory memory_;
  MatrixView matrix_;
};

}  // namespace perfcheck::verify
