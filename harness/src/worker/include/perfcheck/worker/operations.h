// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of one worker, and to which of them a problem belongs (docs/protocol.md, "Several operations").
#pragma once

#include "perfcheck/worker/operation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::worker {

/// Problems of the first operation need no name in front.
using Operations = std::vector<std::unique_ptr<Operation>>;

/// Their names. Throws std::logic_error, with the remedy, when there is none, when a name is not valid, or when two are
/// the same.
std::vector<std::string> names_of(Operations const& operations);

/// A problem and its operation. Questions about kernels go through this class: a problem knows only the kernels of its
/// own operation.
class NamedProblem {
 public:
  /// `prefix` stands in front of the problem's own text: "softmax:", or nothing.
  NamedProblem(std::unique_ptr<Problem> problem, std::string operation, std::string prefix)
      : problem_(std::move(problem)), operation_(std::move(operation)), prefix_(std::move(prefix)) {}

  /// The problem's text in case ids.
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

/// Parses "softmax:r4096c1000" with the operation of that name, and a text without such a name with the first
/// operation. Throws std::invalid_argument as Operation::parse() does.
NamedProblem parse_problem(Operations const& operations, std::string_view text);

}  // namespace perfcheck::worker
