// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <perfcheck/gemm.h>
#include <perfcheck/gemm_operation.h>

#include <stdexcept>
#include <string>

namespace perfcheck {

/// A kernel that is linked into this program.
inline KernelInfo const& registered_kernel(std::string const& id) {
  for (auto const* kernel = KernelRegistration::first(); kernel != nullptr; kernel = kernel->next()) {
    if (kernel->info().id() == id) return kernel->info();
  }
  throw std::out_of_range("no kernel " + id);
}

/// "name: detail" of the first check that failed: the worker reports this one for a wrong kernel.
inline std::string first_failure(model::Verification const& verification) {
  for (auto const& check : verification.checks) {
    if (!check.passed) return check.name + ": " + check.detail;
  }
  return "";
}

inline model::Check const* find_check(model::Verification const& verification, std::string const& name) {
  for (auto const& check : verification.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

}  // namespace perfcheck
