// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorded sessions of four H100s, and a folder in which perfcheck judges edited copies of them.
#pragma once

#include "answer.h"
#include "edit_run.h"

#include "perfcheck/model/run.h"

#include <functional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

/// The case that most edits are about: 413 us on an H100.
inline constexpr char const* kCase = "gemm/mma/f16_pipeline@f16.f32,nt,m2048n4096k11008";
inline constexpr char const* kCaseReference = "gemm/library/cublas_f16@f16.f32,nt,m2048n4096k11008";
/// Its kernel, of which there are three cases.
inline constexpr char const* kKernel = "gemm/mma/f16_pipeline";
/// An FP32 case, of a kernel with two cases.
inline constexpr char const* kSimtCase = "gemm/simt/shared_tile@f32,nn,m1024n3072k768";
inline constexpr char const* kLibraryCase = "gemm/library/cublas_f32@f32,nn,m1024n3072k768";
/// All own kernels.
inline constexpr char const* kOwn = "gemm/[msw]*";
inline constexpr char const* kAll = "*";
inline constexpr char const* kNone = "";

/// 16 recorded cases of 10 problems, four of them cases of libraries (docs/evidence/recordings/h100.tar.xz). None of
/// them was slowed down on purpose in these runs.
struct World {
  model::Run baseline;                         ///< eight sessions on the card that most edits are about
  model::Run head;                             ///< seven later ones on it: one screens, six confirm
  model::Run later;                            ///< seven even later ones on it
  model::Run other_card;                       ///< seven on another card, of an equal build
  model::Run other_baseline;                   ///< five on that card
  model::Run third_card;                       ///< seven on a third card, of another commit
  model::Run third_baseline, fourth_baseline;  ///< eight each, of other commits, on a third and a fourth card
  std::string config;                          ///< the shipped perfcheck.toml's policy, with suites of these problems
  std::string stored;                          ///< text of the baseline file made by accepting `baseline`
};
World const& world();
/// World::head with the matching cases made slower.
model::Run slowed(double factor, std::string const& pattern = kCase);

/// What an edit of a baseline file does to the file's digest.
enum class Digest { kept, renewed, taken };

/// A temporary folder with a perfcheck.toml and a baseline of the card.
class Desk : private cli::testing::ProgramTest {
 public:
  Desk();

  /// Runs `perfcheck compare`; `edited` matches the cases that the table reports.
  Answer compare(model::Run const& now, std::string const& edited = kCase,
                 std::vector<std::string> const& more = {}) const;
  /// The same for the text of a run file.
  Answer compare_text(std::string const& now, std::string const& edited = kCase,
                      std::vector<std::string> const& more = {}) const;
  /// `compare` of two run files.
  Answer compare_runs(model::Run const& base, model::Run const& now, std::string const& edited = kCase) const;
  /// `merge` of shards.
  Answer merge(std::vector<model::Run> const& shards, std::string const& edited = kCase) const;
  /// `baseline accept` into the existing baseline.
  Answer accept(std::vector<model::Run> const& runs, std::vector<std::string> const& more = {}) const;
  /// `baseline accept` without an existing baseline; if it succeeds, compare() with the new one.
  Answer accept_and_compare(std::vector<model::Run> const& runs, model::Run const& now,
                            std::vector<std::string> const& more = {}) const;
  /// `history creep` on a history to which the runs were added in this order.
  Answer creep(std::vector<model::Run> const& runs, std::vector<std::string> const& more = {}) const;
  /// `baseline upgrade`.
  Answer upgrade() const;

  void edit_baseline(std::function<void(nlohmann::json&)> const& edit, Digest digest) const;
  void write_baseline(std::string const& text) const;
  void remove_baseline() const;
  void edit_config(std::string const& what, std::string const& by) const;

 private:
  void TestBody() override {}
  std::string baseline_name() const;
};

}  // namespace perfcheck::adversarial
