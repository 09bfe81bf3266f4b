// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of what a launch is given, equal in every process for equal work: addresses count as what they point to.
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
  /// The same one of another launch that does the same, or nothing. Bytes in which the two differ, as what nobody wrote
  /// may, and seeds do, say nothing about the work: they count as 0.
  std::span<std::uint8_t const> again = {};
};

/// Of all arguments of a kernel, in order.
std::string arguments_hash(std::vector<Argument> const& arguments, PlaceOf const& place_of,
                           TensorMapFormat const& tensor_maps);

/// Reads a `__constant__` variable from the device into `bytes`; false when it cannot be read.
using ReadConstant = std::function<bool(std::string const& name, std::span<std::uint8_t> bytes)>;

/// Of what a kernel finds in constant memory and in variables with initial contents. Constant memory is as `read` says
/// that it is, or as the file says where that cannot be.
std::string constants_hash(KernelCode const& code, ReadConstant const& read, PlaceOf const& place_of);

}  // namespace perfcheck::device
