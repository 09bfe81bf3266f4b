// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarded buffers that a kernel is tried in, and what it did around them.
#pragma once

#include "data.h"
#include "launch_tables.h"
#include "matrices.h"
#include "sparse.h"

#include "perfcheck/verify/check_list.h"
#include "perfcheck/verify/guarded_buffer.h"

#include <array>
#include <optional>
#include <vector>

namespace perfcheck::gemm {

struct GemmDevice;

class Bench {
 public:
  explicit Bench(GemmDevice& device) : device_(device) {}

  /// Fills all inputs, laid out for the problem, unless they hold just that. Throws device::DeviceError.
  void load(GemmProblem const& problem, Data data, std::uint64_t seed);
  /// What load() left.
  Matrices const& inputs() const { return matrices_; }
  verify::MatrixView const& d() const { return d_.matrix(); }
  std::size_t d_bytes() const { return d_.content_bytes(); }

  /// Overwrites one element of A or B until the next load.
  void overwrite(Input input, std::int64_t row, std::int64_t column, double value);

  /// Whether C holds its data or, to show that it is not read, nothing but NaN.
  enum class C { data, poison };
  /// Poisons D and the workspace, launches the loaded problem, waits, and notes in the checks guard_bands (D's row
  /// padding is one of them) and inputs_untouched what the kernel did outside of D. `occasion` says in messages which
  /// launch it was.
  void launch(GemmKernel const& kernel, GemmProblem const& problem, C c, std::string const& occasion,
              verify::CheckList& checks);

 private:
  struct Loaded {
    Data data = Data::exact;
    std::uint64_t seed = 0;
    int lda = 0, ldb = 0, ldd = 0;
    bool operator==(Loaded const&) const = default;
  };
  struct Overwritten {
    Input input;
    std::int64_t row, column;
    verify::Bits bits;
  };
  using Fingerprints = std::array<std::uint64_t, kInputs>;

  verify::GuardedBuffer& buffer(Input input) { return buffers_[static_cast<std::size_t>(input)]; }
  Fingerprints fingerprints();
  void place_workspace(std::size_t bytes);
  void load_indices(GemmProblem const& problem, std::uint64_t secret);
  void look_around(std::string const& occasion, verify::CheckList& checks);
  std::string describe_change(Operand const& operand);

  GemmDevice& device_;
  std::array<verify::GuardedBuffer, kInputs> buffers_;
  verify::GuardedBuffer d_{"D"}, workspace_{"the workspace"};
  LaunchTables tables_;
  verify::SecretMatrices indices_;  ///< of a sparse A
  std::uint64_t indices_secret_ = 0;
  std::vector<Operand> operands_;
  Matrices matrices_;
  DataSet set_;
  std::optional<Loaded> loaded_;  ///< empty when the inputs are not as load() left them
  std::vector<Overwritten> overwritten_;
  Fingerprints fingerprints_{};
  bool c_is_data_ = true;
};

}  // namespace perfcheck::gemm
