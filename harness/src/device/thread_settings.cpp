// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "thread_settings.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cfenv>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace perfcheck::device {
namespace {

#if defined(__SSE2__)
constexpr std::uint64_t kExceptionsSeen = 0x3f;  // flags that every operation may raise; no settings
std::uint64_t control_now() { return _mm_getcsr() & ~kExceptionsSeen; }
void set_control(std::uint64_t control) { _mm_setcsr(static_cast<unsigned>(control)); }
#elif defined(__aarch64__)
std::uint64_t control_now() {
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void set_control(std::uint64_t control) { asm volatile("msr fpcr, %0" ::"r"(control)); }
#else
std::uint64_t control_now() { return 0; }
void set_control(std::uint64_t) {}
#endif

/// On a machine with more processors than the set has room for, it stays empty, so that all sets are equal.
cpu_set_t processors_now() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  (void)sched_getaffinity(0, sizeof processors, &processors);
  return processors;
}

/// Whether `now` lacks some processors of `before`. Additional ones are harmless.
bool some_lost(cpu_set_t const& before, cpu_set_t const& now) {
  cpu_set_t kept;
  CPU_AND(&kept, &before, &now);
  return CPU_EQUAL(&kept, &before) == 0;
}

/// The nice value of the calling thread; Linux keeps one per thread.
int nice_now() { return getpriority(PRIO_PROCESS, 0); }

void set_policy(int policy) {
  sched_param none{};
  (void)sched_setscheduler(0, policy, &none);
}

}  // namespace

ThreadSettings::ThreadSettings()
    : rounding_(std::fegetround()),
      control_(control_now()),
      processors_(processors_now()),
      nice_(nice_now()),
      policy_(sched_getscheduler(0)) {}

std::string ThreadSettings::restore() {
  std::string changed;
  auto const note = [&](std::string const& text) { changed += (changed.empty() ? "" : "; ") + text; };
  // Rounding first: on x86 the control word of SSE holds it as well, and x87 has a control word of its own.
  if (std::fegetround() != rounding_) {
    std::fesetround(rounding_);
    set_control(control_);
    note("another rounding mode of floating-point arithmetic");
  } else if (auto const now = control_now(); now != control_) {
    set_control(control_);
    note(fmt::format("another mode of floating-point arithmetic: {:#x}, now {:#x}", control_, now));
  }
  if (cpu_set_t const now = processors_now(); some_lost(processors_, now)) {
    (void)sched_setaffinity(0, sizeof processors_, &processors_);
    cpu_set_t const again = processors_now();
    // Processors that cannot be had again were taken by the system (a container's set of processors changed), not by
    // the launch.
    if (some_lost(processors_, again)) {
      processors_ = again;
    } else {
      note(fmt::format("the thread may run on other processors: on {}, now on {}", CPU_COUNT(&processors_),
                       CPU_COUNT(&now)));
    }
  }
  // The system may refuse to raise the priority again. What cannot be restored is reported only once.
  if (int const now = nice_now(); now != nice_) {
    note(fmt::format("nice value: {}, now {}", nice_, now));
    (void)setpriority(PRIO_PROCESS, 0, nice_);
    nice_ = nice_now();
  }
  if (int const now = sched_getscheduler(0); now != policy_) {
    note(fmt::format("scheduling policy: {}, now {}", policy_, now));
    set_policy(policy_);
    policy_ = sched_getscheduler(0);
  }
  return changed;
}

}  // namespace perfcheck::device
