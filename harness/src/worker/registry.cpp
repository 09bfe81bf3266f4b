// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::worker {
namespace {

/// The operations of a worker with their verb: "is gemm", "are gemm and row_sum".
std::string text_of(std::vector<std::string> const& operations) {
  return fmt::format("{} {}", operations.size() == 1 ? "is" : "are", fmt::join(operations, " and "));
}

/// Why a worker of these operations finds no kernel in a file that was given to perfcheck_add_kernels().
std::string nothing_of(std::string const& source, std::vector<std::string> const& operations) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (node->info().file == source) {
      return fmt::format("{}: {} is a kernel of the operation {}, and this worker's {}", source, node->info().id(),
                         node->info().operation, text_of(operations));
    }
  }
  return fmt::format(
      "{} was compiled but registers no kernel; end it with the registration macro of the operation {}, or list it "
      "under HELPERS",
      source, fmt::join(operations, " or "));
}

}  // namespace

std::vector<KernelInfo const*> registered_kernels(std::vector<std::string> const& operations,
                                                  std::vector<std::string> const& sources) {
  std::vector<KernelInfo const*> kernels;
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (std::ranges::find(operations, node->info().operation) != operations.end()) {
      kernels.push_back(&node->info());
    }
  }
  std::sort(kernels.begin(), kernels.end(), [](auto const* a, auto const* b) { return a->id() < b->id(); });
  auto const twin = std::adjacent_find(kernels.begin(), kernels.end(),
                                       [](auto const* a, auto const* b) { return a->id() == b->id(); });
  if (twin != kernels.end()) {
    KernelInfo const& first = **twin;
    KernelInfo const& second = **std::next(twin);
    throw std::logic_error(fmt::format("two kernels are called {}: {}:{} and {}:{}; rename one", first.id(), first.file,
                                       first.line, second.file, second.line));
  }
  for (auto const& source : sources) {
    bool const found =
        std::any_of(kernels.begin(), kernels.end(), [&](auto const* kernel) { return kernel->file == source; });
    if (!found) {
      throw std::logic_error(nothing_of(source, operations));
    }
  }
  return kernels;
}

std::map<std::string, std::string> library_versions(std::vector<KernelInfo const*> const& kernels) {
  std::map<std::string, std::string> versions;
  for (KernelInfo const* kernel : kernels) {
    if (kernel->library != nullptr) {
      versions[kernel->library->name] = kernel->library->version();
    }
  }
  return versions;
}

std::string arch_text(Arch const& arch) {
  if (arch.major == 0) {
    return "any";
  }
  return fmt::format("sm_{}{}{}", arch.major, arch.minor, arch.exact ? "a" : "+");
}

}  // namespace perfcheck::worker
