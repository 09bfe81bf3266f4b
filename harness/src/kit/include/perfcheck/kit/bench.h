// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarded buffers in which a kernel is verified, with checks for writes outside of its output.
#pragma once

#include "perfcheck/kit/proof.h"

#include "perfcheck/verify/check_list.h"
#include "perfcheck/verify/guarded_buffer.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::kit {

/// The contents of the buffers for a launch.
struct Contents {
  std::vector<Operand> inputs;
  std::vector<verify::Fill> fills;  ///< of the inputs, in their order
  Operand output;
  std::shared_ptr<OtherInput> other{};  ///< null if there is none
  std::uint64_t other_secret = 0;       ///< from which `other` is made

  /// Whether both hold equal data.
  bool operator==(Contents const& that) const {
    if ((other == nullptr) != (that.other == nullptr)) return false;
    if (other && (other->operand() != that.other->operand() || other_secret != that.other_secret)) return false;
    return inputs == that.inputs && fills == that.fills && output == that.output;
  }
};

class Bench {
 public:
  explicit Bench(Device& device) : device_(device) {}

  /// Lays out and fills all buffers, unless they already hold these contents. Throws device::DeviceError.
  void load(Contents const& contents);
  /// The inputs that load() made.
  Inputs const& inputs() const { return inputs_; }
  verify::MatrixView const& output() const { return output_.matrix(); }
  std::size_t output_bytes() const { return output_.content_bytes(); }

  /// Overwrites one element of an input until the next load.
  void overwrite(int input, std::int64_t row, std::int64_t column, double value);
  /// Fills an input with NaN until the next load, to show that the kernel does not read it.
  void poison(int input);

  /// Poisons output and workspace, launches once on these buffers, and waits. Then notes what the kernel wrote outside
  /// of its output, in the checks guard_bands (which include the gaps between the output's rows) and inputs_untouched.
  /// `occasion` identifies the launch in messages.
  void launch(Launches& launches, std::size_t workspace_bytes, std::string const& occasion, verify::CheckList& checks);

 private:
  struct Overwritten {
    int input;
    std::int64_t row, column;
    verify::Bits bits;
  };
  using Fingerprints = std::array<std::uint64_t, kMostInputs>;

  verify::GuardedBuffer& buffer(int input) { return buffers_[static_cast<std::size_t>(input)]; }
  Fingerprints fingerprints();
  void place_workspace(std::size_t bytes);
  void load_other();
  void look_around(Launches const& launches, std::string const& occasion, verify::CheckList& checks);
  std::string describe_change(std::size_t index);

  Device& device_;
  std::array<verify::GuardedBuffer, kMostInputs> buffers_;
  verify::GuardedBuffer output_, workspace_{"the workspace"};
  Inputs inputs_;
  verify::SecretMatrices other_;
  Contents contents_;
  bool loaded_ = false;  ///< the inputs are as load() left them
  std::vector<Overwritten> overwritten_;
  std::optional<int> poisoned_;
  Fingerprints fingerprints_{};
};

}  // namespace perfcheck::kit
