// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <perfcheck/gemm_tuning.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace perfcheck {
namespace {

/// In octaves. A size twice as large in all dimensions is 1.7 away, and tells less: with tensor cores, the best kernel
/// of 1024 cubed is 0.46 of cuBLAS at 2048 cubed, where the best kernel for the other layout of B is 0.7 (H100).
constexpr double kOtherLayout = 1.5;

/// Takes what comes before the first `separator` off a text.
std::string_view next_part(std::string_view& text, char separator) {
  std::string_view const part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

bool names(std::string_view ranking, std::string_view kernel) {
  if (kernel.empty()) return true;
  for (RankedKernel ranked = next_ranked(ranking); !ranked.id.empty(); ranked = next_ranked(ranking)) {
    if (ranked.id == kernel) return true;
  }
  return false;
}

/// The libraries that the time of `kernel` was measured with.
std::string_view libraries_of(TunedProblem const& entry, std::string_view kernel) {
  std::string_view ranking = entry.ranking, libraries = entry.libraries;
  while (!ranking.empty()) {
    std::string_view const of_next = next_part(libraries, ' ');
    if (next_ranked(ranking).id == kernel) return of_next;
  }
  return {};
}

/// "13.1.0" of "cuBLAS=13.1.0,other=2"; empty when the library is not named.
std::string version_in(std::string_view libraries, std::string_view name) {
  while (!libraries.empty()) {
    std::string_view version = next_part(libraries, ',');
    if (next_part(version, '=') == name) return std::string(version);
  }
  return {};
}

KernelInfo const* find_kernel(std::string_view id) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (node->info().id() == id) return &node->info();
  }
  return nullptr;
}

/// The first kernel of a ranking that is this project's own, of the problem's types, and takes the problem; null when
/// none does.
GemmKernel const* first_willing(std::string_view ranking, GemmProblem const& problem, bool (*runs_here)(Arch const&)) {
  for (RankedKernel ranked = next_ranked(ranking); !ranked.id.empty(); ranked = next_ranked(ranking)) {
    KernelInfo const* const info = find_kernel(ranked.id);
    if (info == nullptr || info->library != nullptr || !runs_here(info->arch)) continue;
    auto const* const kernel = static_cast<GemmKernel const*>(info->typed);
    if (kernel->types != problem.types) continue;
    if (kernel->accepts == nullptr || !kernel->accepts(problem)) return kernel;
  }
  return nullptr;
}

double octaves(double a, double b) { return std::log2(a / b); }

/// Rows of the tiles that cover m rows. Tiles with few rows have 16, 32, 48 or 64: 20 rows take one of 32, and are
/// unlike 16, for which the best kernel may refuse more. For 16 and fewer there are tiles of 8 rows and of one.
double rows_in_tiles(int m) {
  constexpr int kStep = 16;
  return m <= kStep ? m : std::ceil(static_cast<double>(m) / kStep) * kStep;
}

double distance(GemmProblem const& a, GemmProblem const& b) {
  double const layout = a.b_layout == b.b_layout ? 0 : kOtherLayout;
  double const rows = octaves(rows_in_tiles(a.m), rows_in_tiles(b.m));
  return std::hypot(std::hypot(rows, octaves(a.n, b.n)), std::hypot(octaves(a.k, b.k), layout));
}

}  // namespace

RankedKernel next_ranked(std::string_view& ranking) {
  std::string_view point = next_part(ranking, ' ');
  std::string_view const id = next_part(point, ':');
  return {.id = id, .point = point};
}

TunedProblem const* nearest_tuned(std::span<TunedProblem const> table, std::string_view device,
                                  GemmProblem const& problem, std::string_view kernel) {
  bool const is_known =
      std::any_of(table.begin(), table.end(), [&](TunedProblem const& entry) { return entry.device == device; });
  TunedProblem const* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (TunedProblem const& entry : table) {
    if ((is_known && entry.device != device) || !names(entry.ranking, kernel)) continue;
    GemmProblem const measured = parse_gemm_problem(entry.problem);
    if (measured.types != problem.types) continue;
    double const away = distance(measured, problem);
    if (away < least) {
      least = away;
      nearest = &entry;
    }
  }
  return nearest;
}

std::string_view point_in(TunedProblem const& entry, std::string_view kernel) {
  std::string_view ranking = entry.ranking;
  for (RankedKernel ranked = next_ranked(ranking); !ranked.id.empty(); ranked = next_ranked(ranking)) {
    if (ranked.id == kernel) return ranked.point;
  }
  return {};
}

std::string_view tuned_point(std::span<TunedProblem const> table, std::string_view device, GemmProblem const& problem,
                             std::string_view kernel) {
  TunedProblem const* const entry = nearest_tuned(table, device, problem, kernel);
  return entry == nullptr ? std::string_view{} : point_in(*entry, kernel);
}

TunedProblem const* measured_itself(std::span<TunedProblem const> table, std::string_view device,
                                    GemmProblem const& problem, std::string_view kernel) {
  auto const found = std::find_if(table.begin(), table.end(), [&](TunedProblem const& entry) {
    if (entry.device != device || !names(entry.ranking, kernel)) return false;
    GemmProblem measured = parse_gemm_problem(entry.problem);
    measured.alpha = problem.alpha;
    measured.beta = problem.beta;
    measured.hot = problem.hot;
    return measured == problem;
  });
  return found == table.end() ? nullptr : &*found;
}

Refusal refuse_unknown_answer(std::span<TunedProblem const> table, std::string_view device, GemmProblem const& problem,
                              std::string_view kernel, LibraryInfo const& library) {
  std::string const name = library.name;
  TunedProblem const* const entry = measured_itself(table, device, problem, kernel);
  if (entry == nullptr) {
    return "perfcheck tune has not measured which of " + name +
           "'s algorithms is the fastest on this problem and device";
  }
  std::string const now = library.version();
  std::string const then = version_in(libraries_of(*entry, kernel), name);
  if (then == now) return {};
  return "the fastest algorithm was measured with " + name + " " + (then.empty() ? "of unknown version" : then) +
         ", and " + now + " is loaded, which numbers them otherwise; run perfcheck tune again";
}

GemmKernel const& fastest_kernel(std::span<TunedProblem const> table, std::string_view device,
                                 GemmProblem const& problem, std::string_view without_measurements,
                                 bool (*runs_here)(Arch const&)) {
  TunedProblem const* const nearest = nearest_tuned(table, device, problem, {});
  GemmKernel const* kernel = nearest == nullptr ? nullptr : first_willing(nearest->ranking, problem, runs_here);
  if (kernel == nullptr) kernel = first_willing(without_measurements, problem, runs_here);
  if (kernel == nullptr) {
    throw std::logic_error("this program holds none of the kernels that are tried for " + to_text(problem.types) +
                           " where nothing was measured: " + std::string(without_measurements));
  }
  return *kernel;
}

GemmProblem problem_of(GemmArgs const& args, GemmTypes types) {
  return {.types = types,
          .b_layout = args.b_layout,
          .m = args.m,
          .n = args.n,
          .k = args.k,
          .lda = static_cast<int>(args.lda),
          .ldb = static_cast<int>(args.ldb),
          .ldd = static_cast<int>(args.ldd),
          .alpha = args.alpha,
          .beta = args.beta,
          .hot = false};
}

}  // namespace perfcheck
