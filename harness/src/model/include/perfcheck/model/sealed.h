// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A judge's report on one case that it timed sealed: perfcheck.sealed/1, one line of JSON (docs/sealed.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

enum class SealedStatus {
  timed,      ///< every drawn output was right; the times are the judge's own
  incorrect,  ///< an output was wrong
  invalid,    ///< something was observed that makes the time meaningless
  failed,     ///< the kernel's process ended, hung, or gave an invalid answer
  refused     ///< nobody's fault: the operation cannot be sealed, the device is missing, the kernel does not take it
};
std::string_view to_text(SealedStatus status);

/// How far the kernel's process was kept apart from the judge's.
struct Confinement {
  std::vector<std::string> applied;  ///< in words: "another user", "no network"
  std::vector<std::string> missing;  ///< each with the reason: "its own processes: unshare: Operation not permitted"
};

struct SealedResult {
  std::string id, reference;  ///< case ids; the reference is empty when there is none
  SealedStatus status = SealedStatus::failed;
  std::string message;          ///< empty when timed
  int launches = 0;             ///< in one batch, each on inputs made from the output of the one before
  int reference_launches = 0;   ///< likewise
  std::int64_t verified = 0;    ///< outputs of the kernel that were drawn and compared, over all batches
  std::vector<double> time_ns;  ///< of one launch, one per batch: the batch less what it takes without the kernel
  std::vector<double> reference_time_ns;  ///< likewise, of the same rounds
  /// The kernel's times with inputs left in the cache, if time_ns was measured with an emptied cache; else empty.
  /// Emptying it takes longer than many a launch, so a program that skips it could hide that much time.
  std::vector<double> warm_time_ns;
  /// How much longer a warm launch may take because it writes back what making its inputs left in the cache.
  double write_back_ns = 0;
  /// A launch's share of a warm batch without the launch itself: the most time that could be hidden.
  double around_ns = 0;
  Confinement confinement;
};

/// One line, without a newline.
std::string to_json_line(SealedResult const& result);
/// Throws FormatError that names `origin` and the place.
SealedResult parse_sealed(std::string_view line, std::string_view origin);

}  // namespace perfcheck::model
