// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/contest.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace perfcheck::tuning {
namespace {

model::TunedPoint const* find_point(std::vector<model::TunedPoint> const& points, std::string const& case_id) {
  std::string const kernel = model::split_case_id(case_id).kernel;
  auto const found =
      std::ranges::find_if(points, [&](model::TunedPoint const& point) { return point.kernel == kernel; });
  return found == points.end() ? nullptr : &*found;
}

double slower_than(model::TunedPoint const& point, model::TunedPoint const& other) {
  return (point.ratio && other.ratio ? *point.ratio / *other.ratio : point.time_ns / other.time_ns) - 1;
}

}  // namespace

std::set<std::string> library_kernels(measuring::Plan const& plan) {
  std::set<std::string> libraries;
  for (model::KernelEntry const& kernel : plan.hello.kernels) {
    if (!kernel.library.empty()) {
      libraries.insert(kernel.id);
    }
  }
  return libraries;
}

std::vector<Contest> contests_of(measuring::Plan const& plan) {
  std::set<std::string> const libraries = library_kernels(plan);
  std::set<std::string> references;
  for (protocol::PlannedCase const& planned : plan.cases) {
    if (planned.reference != planned.id) {
      references.insert(planned.reference);
    }
  }
  std::map<std::string, Contest> contests_by_problem;
  for (protocol::PlannedCase const& planned : plan.cases) {
    model::CaseName const name = model::split_case_id(planned.id);
    bool const of_library = libraries.contains(name.kernel);
    bool const is_point = !model::split_point(name.kernel).point.empty();
    if (!planned.skip_reason && (!of_library || is_point) && !references.contains(planned.id)) {
      Contest& contest = contests_by_problem[name.problem];
      contest.contenders.push_back(planned);
      if (of_library) {
        contest.of_libraries.insert(name.kernel);
      }
    }
  }
  std::vector<Contest> contests;
  for (std::string const& problem : plan.asked.problems) {
    if (auto const found = contests_by_problem.find(problem); found != contests_by_problem.end()) {
      contests.push_back(std::move(found->second));
      contests.back().problem = problem;
      contests_by_problem.erase(found);
    }
  }
  return contests;
}

std::vector<protocol::PlannedCase> unmeasured(Contest const& contest, std::vector<model::TunedPoint> const& points) {
  std::vector<protocol::PlannedCase> cases;
  std::ranges::copy_if(contest.contenders, std::back_inserter(cases),
                       [&](protocol::PlannedCase const& planned) { return find_point(points, planned.id) == nullptr; });
  return cases;
}

std::vector<protocol::PlannedCase> finalists(Contest const& contest, std::vector<model::TunedPoint> const& points) {
  std::vector<model::TunedPoint> const order = model::fastest_first(points);
  std::vector<protocol::PlannedCase> cases;
  std::ranges::copy_if(contest.contenders, std::back_inserter(cases), [&](protocol::PlannedCase const& planned) {
    model::TunedPoint const* const found = find_point(points, planned.id);
    if (found == nullptr) {
      return false;  // it failed
    }
    model::TunedPoint const& point = *found;
    std::string const kernel = model::split_point(point.kernel).kernel;
    auto const rival = std::ranges::find_if(order, [&](model::TunedPoint const& other) {
      return other.kernel != point.kernel && model::split_point(other.kernel).kernel == kernel;
    });
    auto const first = std::ranges::find_if(order, [&](model::TunedPoint const& other) {
      return contest.of_libraries.contains(other.kernel) == contest.of_libraries.contains(point.kernel);
    });
    bool const near_all = slower_than(point, *first) <= kFinalistShare;
    bool const near_its_own = rival != order.end() && slower_than(point, *rival) <= kFinalistShare;
    return point.brief && (near_all || near_its_own);
  });
  return cases;
}

std::vector<std::vector<Contest>> batches_of(std::vector<Contest> const& contests, std::size_t cases) {
  std::vector<std::vector<Contest>> batches;
  std::size_t count = cases;
  for (Contest const& contest : contests) {
    if (count >= cases) {
      batches.emplace_back();
      count = 0;
    }
    batches.back().push_back(contest);
    count += contest.contenders.size();
  }
  return batches;
}

}  // namespace perfcheck::tuning
