// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "core_probe.h"
#include "host_info.h"
#include "perfcheck/device/meeting.h"
#include "perfcheck/model/defences.h"
#include "run_delay.h"
#include "shared_host_memory.h"
#include "thread_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

namespace perfcheck::device {
namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Largest share of the time of launches on their own for which threads of this process may have waited for a core.
constexpr double kMostWaiting = 0.02;

/// Throws Interference if a launch changed settings of its thread, after restoring them.
void check_thread(ThreadSettings& settings) {
  if (!model::applies(model::Defence::settings)) return;
  if (auto const changed = settings.restore(); !changed.empty()) {
    throw Interference("a launch left settings of its thread behind, which change what is measured or judged: " +
                       changed);
  }
}

class CpuReplay final : public Replay {
 public:
  CpuReplay(Recording recording, std::shared_ptr<ContentionJudge> judge, std::shared_ptr<ThreadSettings> settings)
      : recording_(std::move(recording)), judge_(std::move(judge)), settings_(std::move(settings)) {}

  Reading run(Surroundings const& around) override {
    CoreSample const before = sample_core();
    around.before();  // last, so that the clock starts as soon as the inputs are there: other threads may see them
    double const time_ns = timed_run_ns();
    check_thread(*settings_);  // before the harness itself computes
    around.behind();           // at once, before a thread that still works could finish
    CoreSample const after = sample_core();
    Reading reading;
    reading.time_ns = time_ns;
    reading.clock_mhz = (before.clock_mhz + after.clock_mhz) / 2;
    reading.disturbed = disturbed(before, after);
    return reading;
  }

  StepReadings run_steps(Steps const& steps, Surroundings const& around) override {
    CoreSample const before = sample_core();
    around.before();
    double const waited_before_ns = run_delay_ns();
    auto const begin = Clock::now();
    StepReadings readings;
    for (int i = 0; i < recording_.launches; ++i) {
      bool const alone = i >= steps.first && i < steps.first + steps.count;
      if (alone) steps.prepare(i);
      auto const start = Clock::now();
      recording_.launch(i);
      if (alone) readings.times_ns.push_back(nanoseconds_since(start));
    }
    double const waited_ns = run_delay_ns() - waited_before_ns, all_ns = nanoseconds_since(begin);
    check_thread(*settings_);
    around.behind();
    readings.disturbed = disturbed(before, sample_core()) || waited_ns > kMostWaiting * all_ns;
    return readings;
  }

 private:
  bool disturbed(CoreSample const& before, CoreSample const& after) {
    bool const first = judge_->disturbed(before);  // it learns from both
    return judge_->disturbed(after) || first;
  }

  double timed_run_ns() const {
    auto const start = Clock::now();
    for (int i = 0; i < recording_.launches; ++i) {
      if (recording_.prepare) recording_.prepare(i);
      recording_.launch(i);
    }
    if (recording_.finish) recording_.finish();
    if (recording_.extra_ns > 0) {
      double const end = nanoseconds_since(start) + recording_.extra_ns;
      while (nanoseconds_since(start) < end) {
      }
    }
    return nanoseconds_since(start);
  }

  Recording recording_;
  std::shared_ptr<ContentionJudge> judge_;
  std::shared_ptr<ThreadSettings> settings_;
};

/// On the CPU, enqueued work runs at once.
class CpuMeetingEnd final : public MeetingEnd {
 public:
  explicit CpuMeetingEnd(std::string const& handle) : memory_(open_shared_host_memory(handle, sizeof(MeetingPlace))) {}

  void enqueue_await(std::uint64_t* secret) override {
    auto const end = Clock::now() + kPatience;
    std::atomic_ref(place().reached).store(1, std::memory_order_release);
    while (std::atomic_ref(place().released).load(std::memory_order_acquire) == 0 && Clock::now() < end) {
      std::this_thread::yield();
    }
    *secret = place().secret;
  }
  void enqueue_tell(std::uint64_t const* last) override {
    place().last = *last;
    std::atomic_ref(place().ended).store(1, std::memory_order_release);
  }

 private:
  static constexpr std::chrono::minutes kPatience{2};
  MeetingPlace& place() const { return *static_cast<MeetingPlace*>(memory_.data()); }

  Memory memory_;
};

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }

  model::DeviceInfo info() override {
    model::DeviceInfo info;
    info.backend = name();
    info.name = cpu_name();
    info.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
    // The slug includes the number of threads: virtual machines of one CPU model differ in what shares their caches.
    info.slug = fmt::format("cpu-{}-{}t", model::slug_of(info.name), info.multiprocessors);
    info.memory_bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    info.cache_bytes = last_level_cache_bytes();
    return info;
  }

  model::Environment environment() override {
    model::Environment environment;
    environment.host = host_name();
    environment.os = os_name();
    environment.cpu = cpu_name();
    std::ifstream file("/proc/loadavg");
    double load = 0;
    if (file >> load && load > 0.5 * std::thread::hardware_concurrency()) {
      environment.warnings.push_back(
          fmt::format("the load average is {:.1f} on {} threads: other work will disturb the measurement; wait for it "
                      "or stop it",
                      load, std::thread::hardware_concurrency()));
    }
    return environment;
  }

  model::DeviceState state() override { return {}; }

  Refusal refusal(Arch const& arch) const override {
    if (arch.major != 0) {
      return fmt::format("needs a CUDA device of compute capability {}.{}", arch.major, arch.minor);
    }
    return std::nullopt;
  }

  Memory allocate(std::size_t bytes) override {
    constexpr std::size_t kAlignment = 256;
    std::size_t const rounded = (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    void* data = std::aligned_alloc(kAlignment, rounded);
    if (data == nullptr) {
      throw OutOfMemory(fmt::format("no memory for {} bytes ({} bytes free)", bytes, free_bytes()));
    }
    return Memory(data, bytes, [](void* p) { std::free(p); });
  }

  std::int64_t hot_bytes() override {
    constexpr std::int64_t kUsual = 512 * 1024;  // where the system does not tell
    std::int64_t const own = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return (own > 0 ? own : kUsual) / 2;
  }

  SharedMemory allocate_shared(std::size_t bytes) override { return allocate_shared_host_memory(bytes); }
  Memory open_shared(std::string const& handle, std::size_t bytes) override {
    return open_shared_host_memory(handle, bytes);
  }

  std::unique_ptr<MeetingEnd> join_meeting(std::string const& handle) override {
    return std::make_unique<CpuMeetingEnd>(handle);
  }

  std::size_t free_bytes() override {
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }

  void fill(void* data, std::uint8_t byte, std::size_t bytes) override { std::memset(data, byte, bytes); }
  void copy_to_host(void* host, void const* data, std::size_t bytes) override { std::memcpy(host, data, bytes); }
  void copy_to_device(void* data, void const* host, std::size_t bytes) override { std::memcpy(data, host, bytes); }
  Stream stream() const override { return nullptr; }
  void check_launch() override { check_thread(*settings_); }
  void check_settings() override { check_thread(*settings_); }
  void synchronize() override {}

  std::unique_ptr<Replay> record(Recording const& recording) override {
    return std::make_unique<CpuReplay>(recording, judge_, settings_);
  }

 private:
  /// Shared by all replays of the process, because it learns from all of them.
  std::shared_ptr<ContentionJudge> judge_ = std::make_shared<ContentionJudge>();
  std::shared_ptr<ThreadSettings> settings_ = std::make_shared<ThreadSettings>();
};

}  // namespace

namespace {
std::atomic<bool> abandoned = false;
}
void abandon_device() { abandoned = true; }
bool device_is_abandoned() { return abandoned; }

std::unique_ptr<Backend> make_cpu_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace perfcheck::device
