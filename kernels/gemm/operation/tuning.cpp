// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include <perfcheck/gemm_tuning.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfcheck {
namespace {

constexpr double kOtherLayout = 2;  // octaves

bool names(std::string_view ranking, std::string_view kernel) {
  if (kernel.empty()) return true;
  for (RankedKernel ranked = next_ranked(ranking); !ranked.id.empty(); ranked = next_ranked(ranking)) {
    if (ranked.id == kernel) return true;
  }
  return false;
}

double octaves(int a, int b) { return std::log2(static_cast<double>(a) / b); }

double distance(GemmProblem const& a, GemmProblem const& b) {
  double const layout = a.b_layout == b.b_layout ? 0 : kOtherLayout;
  return std::hypot(std::hypot(octaves(a.m, b.m), octaves(a.n, b.n)), std::hypot(octaves(a.k, b.k), layout));
}

}  // namespace

RankedKernel next_ranked(std::string_view& ranking) {
  std::string_view const entry = ranking.substr(0, ranking.find(' '));
  ranking.remove_prefix(std::min(ranking.size(), entry.size() + 1));
  std::size_t const colon = entry.find(':');
  if (colon == std::string_view::npos) return {.id = entry, .point = {}};
  return {.id = entry.substr(0, colon), .point = entry.substr(colon + 1)};
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

std::string_view tuned_point(std::span<TunedProblem const> table, std::string_view device, GemmProblem const& problem,
                             std::string_view kernel) {
  TunedProblem const* const entry = nearest_tuned(table, device, problem, kernel);
  if (entry == nullptr) return {};
  std::string_view ranking = entry->ranking;
  RankedKernel ranked = next_ranked(ranking);
  while (ranked.id != kernel) ranked = next_ranked(ranking);
  return ranked.point;
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
