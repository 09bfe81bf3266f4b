// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Guarded buffers that a kernel is tried in, and what it did around them.
#pragma once

#include "data.h"

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

  /// Fills A, B and C, laid out for the problem, unless they hold just that. Throws device::DeviceError.
  void load(GemmProblem const& problem, Data data, std::uint64_t seed);
  verify::MatrixView const& a() const { return a_.matrix(); }
  verify::MatrixView const& b() const { return b_.matrix(); }
  verify::MatrixView const& c() const { return c_.matrix(); }
  verify::MatrixView const& d() const { return d_.matrix(); }
  std::size_t d_bytes() const { return d_.content_bytes(); }

  /// Overwrites one element of A or B until the next load.
  enum class Operand { a, b };
  void overwrite(Operand operand, std::int64_t row, std::int64_t column, double value);

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
    Operand operand;
    std::int64_t row, column;
    std::uint32_t bits;
  };
  struct Input {
    verify::GuardedBuffer const& buffer;
    verify::Fill const& fill;
    char const* name;
  };

  std::array<Input, 3> inputs() const;
  std::array<std::uint64_t, 3> fingerprints();
  void place_workspace(std::size_t bytes);
  void look_around(std::string const& occasion, verify::CheckList& checks);
  std::string describe_change(Input const& input) const;

  GemmDevice& device_;
  verify::GuardedBuffer a_{"A"}, b_{"B"}, c_{"C"}, d_{"D"}, workspace_{"the workspace"};
  DataSet set_;
  std::optional<Loaded> loaded_;  ///< empty when the inputs are not as load() left them
  std::vector<Overwritten> overwritten_;
  std::array<std::uint64_t, 3> fingerprints_{};
  bool c_is_data_ = true;
};

}  // namespace perfcheck::gemm
