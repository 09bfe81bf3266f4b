// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out what a kernel changed in an input that it must not touch.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/secret_data.h"

#include <string>
#include <vector>

namespace perfcheck::kit {

/// A matrix in host memory with the strides of a matrix on the device.
class HostMatrix {
 public:
  /// What `like` held after `fill`; null: after poisoning.
  static HostMatrix filled(verify::MatrixView const& like, verify::Fill const* fill);
  /// What verify::Engine::renew() writes into the matrix of one set of buffers.
  static HostMatrix renewed(verify::SecretMatrices const& like, std::uint64_t secret, int set);
  static HostMatrix copied(device::Backend& backend, verify::MatrixView const& from);

  verify::MatrixView const& view() const { return view_; }
  void set(std::int64_t row, std::int64_t column, verify::Bits bits);

 private:
  explicit HostMatrix(verify::MatrixView const& like);

  std::vector<std::uint64_t> storage_;
  verify::MatrixView view_;
};

/// "2 elements of A changed, first at row 0 column 5: was 3, is 4; all in row 0, columns 5-6".
std::string describe_input_change(device::Backend& backend, char const* name, verify::MatrixView const& now,
                                  HostMatrix const& before);

}  // namespace perfcheck::kit
