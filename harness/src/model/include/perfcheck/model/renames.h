// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What cases were called before, so that a rename loses nothing that was measured under the old id. Values in, values
// out: who reads a baseline, a run or a history applies it there, and decides and shows with the ids of today.
#pragma once

#include "perfcheck/model/baseline.h"

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

/// One entry of [renamed] in perfcheck.toml. Both sides are of kernels ("gemm/library/cublas_*", "gemm/cublas/*"), or
/// both of cases, with an '@'. A `*` stands for any text, the same on both sides, and never for an '@'; nothing else is
/// special.
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
  /// In the order in which ids were renamed: each entry takes what those before it made, so that a to b and later b to
  /// c make c of an old a. An id that was given up is not used again. Throws RenameError for entries of another form,
  /// for circles and chains in another order, and for entries that can match nothing because an earlier one does.
  explicit Renames(std::vector<Rename> entries);

  /// The same, but entries from this index on are honoured for single cases alone: `cases` are their ids as the entries
  /// before leave them.
  Renames limited(std::size_t from, std::set<std::string> cases) const;

  bool empty() const { return entries_.empty(); }
  std::vector<Rename> const& entries() const { return entries_; }
  /// What the case is called today.
  std::string now(std::string const& case_id) const;
  std::string kernel_now(std::string const& kernel) const;
  /// Ids that the case of today may have had.
  std::vector<std::string> before(std::string const& case_id) const;
  /// Every id that the case has and had, the given one among them.
  std::vector<std::string> all(std::string const& case_id) const;
  /// Place of the entry that renamed this old id last; empty where none does.
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

/// The same with today's ids, of cases, references and kernels. `origin` names it in messages. Throws RenameError where
/// two of its cases would have one id.
Baseline renamed(Baseline baseline, Renames const& renames, std::string const& origin);
Run renamed(Run run, Renames const& renames, std::string const& origin);

}  // namespace perfcheck::model
