// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of one worker, and which of them a problem is of (docs/protocol.md, "Several operations").
#pragma once

#include "perfcheck/worker/operation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::worker {

/// The first one's problems need no name in front.
using Operations = std::vector<std::unique_ptr<Operation>>;

/// Their names. Throws std::logic_error, with the remedy, when there is none, one is no name, or two are the same.
std::vector<std::string> names_of(Operations const& operations);

/// A problem and the operation it is of. Whoever asks about a kernel asks here: a problem knows the kernels of its own
/// operation only.
class NamedProblem {
 public:
  /// `prefix` stands in front of the problem's own text: "softmax:", or nothing.
  NamedProblem(std::unique_ptr<Problem> problem, std::string operation, std::string prefix)
      : problem_(std::move(problem)), operation_(std::move(operation)), prefix_(std::move(prefix)) {}

  /// As case ids hold it.
  std::string text() const { return prefix_ + problem_->text(); }
  std::string const& operation() const { return operation_; }
  bool concerns(KernelInfo const& kernel) const { return kernel.operation == operation_ && problem_->concerns(kernel); }
  /// Empty kernel id when there is none.
  model::CaseName reference(KernelInfo const& kernel) const;
  Problem& operator*() const { return *problem_; }
  Problem* operator->() const { return problem_.get(); }

 private:
  std::unique_ptr<Problem> problem_;
  std::string operation_, prefix_;
};

/// Reads "softmax:r4096c1000" by the operation of that name, and a text without such a name by the first. Throws
/// std::invalid_argument as Operation::parse() does.
NamedProblem parse_problem(Operations const& operations, std::string_view text);

}  // namespace perfcheck::worker
