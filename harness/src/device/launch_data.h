// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of a launch's arguments and constants, equal in every process for equal work: addresses count as what they
// point to.
#pragma once

#include "machine_code.h"
#include "memory_place.h"
#include "tensor_map_format.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perfcheck::device {

/// One argument of a kernel.
struct Argument {
  std::uint64_t offset = 0;  ///< among all arguments, in bytes
  std::span<std::uint8_t const> bytes;
  /// The same argument of another launch that does the same, or nothing. Bytes in which the two differ, such as padding
  /// and seeds, say nothing about the work: they count as 0.
  std::span<std::uint8_t const> again = {};
};

/// Hash of all arguments of a kernel, in order.
std::string arguments_hash(std::vector<Argument> const& arguments, PlaceOf const& place_of,
                           TensorMapFormat const& tensor_maps);

/// Reads a `__constant__` variable from the device into `bytes`; false when it cannot be read.
using ReadConstant = std::function<bool(std::string const& name, std::span<std::uint8_t> bytes)>;

/// Hash of what a kernel finds in constant memory and in variables with initial contents. Constant memory has the
/// values that `read` returns, or those in the file if they cannot be read.
std::string constants_hash(KernelCode const& code, ReadConstant const& read, PlaceOf const& place_of);

}  // namespace perfcheck::device
