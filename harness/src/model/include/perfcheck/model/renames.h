// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Former ids of cases, so that a rename does not lose what was measured under the old id. Pure functions: code that
// reads a baseline, a run or a history renames it there, and decides and shows with today's ids.
#pragma once

#include "perfcheck/model/baseline.h"

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

/// One entry of [renamed] in perfcheck.toml. Both sides name kernels ("gemm/library/cublas_*", "gemm/cublas/*"), or
/// both name cases, with an '@'. A `*` stands for any text without an '@', the same on both sides; no other character
/// is special.
struct Rename {
  std::string from, to;
  std::string place;  ///< for messages: "perfcheck.toml:12: renamed.gemm/library/cublas_*"
};

/// An entry cannot be honoured; what() is one line that begins with its place and ends with the remedy.
class RenameError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class Renames {
 public:
  Renames() = default;
  /// Entries are in the order in which ids were renamed. Each applies to what those before it made: with a to b and
  /// later b to c, an old a becomes c. An id that was given up must not be used again. Throws RenameError for malformed
  /// entries, for cycles, for chains in the wrong order, for two entries with the same new id, and for entries that can
  /// match nothing because an earlier one already renames all of it.
  explicit Renames(std::vector<Rename> entries);

  /// A copy in which the entries from index `from` on apply only to the cases in `cases`, given by the ids that the
  /// entries before `from` produce.
  Renames limited(std::size_t from, std::set<std::string> cases) const;

  bool empty() const { return entries_.empty(); }
  std::vector<Rename> const& entries() const { return entries_; }
  /// What the case is called today.
  std::string now(std::string const& case_id) const;
  std::string kernel_now(std::string const& kernel) const;
  /// Ids that the case of today may have had.
  std::vector<std::string> before(std::string const& case_id) const;
  /// Today's id of the case and all its former ids; the given one is among them.
  std::vector<std::string> all(std::string const& case_id) const;
  /// Place of the last entry that renamed this old id; empty if none does.
  std::string place_of(std::string const& old_id) const;

 private:
  struct Steps {
    std::string id;     ///< after all entries
    std::string place;  ///< of the last that changed it
  };
  Steps steps(std::string const& case_id) const;

  std::vector<Rename> entries_;
  std::size_t limit_ = static_cast<std::size_t>(-1);
  std::set<std::string> limited_to_;
};

/// Can the two patterns, of kernels or of cases, match the same case?
bool patterns_overlap(std::string const& one, std::string const& other);

/// A copy with today's ids for cases, references and kernels. `origin` names the source in messages. Throws RenameError
/// if two cases would get the same id.
Baseline renamed(Baseline baseline, Renames const& renames, std::string const& origin);
Run renamed(Run run, Renames const& renames, std::string const& origin);

}  // namespace perfcheck::model
