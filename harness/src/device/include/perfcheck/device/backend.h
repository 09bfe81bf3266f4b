// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the harness needs from a device, CUDA or CPU: memory, a stream, work recorded once and replayed, the clock.
#pragma once

#include <perfcheck/kernel.h>

#include "perfcheck/model/run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfcheck::device {

/// The device reported an error. `context_lost` means that nothing can run in this process any more.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(std::string const& what, bool context_lost) : std::runtime_error(what), context_lost_(context_lost) {}
  bool context_lost() const { return context_lost_; }

 private:
  bool context_lost_;
};

/// A kernel did something that makes its measurement meaningless: it worked outside of what is timed, or changed
/// settings of the device. The device is unharmed unless `context_lost`, as for DeviceError.
class Interference : public DeviceError {
 public:
  explicit Interference(std::string const& what, bool context_lost = false) : DeviceError(what, context_lost) {}
};

/// An allocation did not fit; the device is unharmed.
class OutOfMemory : public DeviceError {
 public:
  explicit OutOfMemory(std::string const& what) : DeviceError(what, false) {}
};

/// Owns device memory, aligned to 256 bytes. Contents are undefined.
class Memory {
 public:
  Memory() = default;
  Memory(void* data, std::size_t bytes, void (*release)(void*)) : data_(data, release), bytes_(bytes) {}
  void* data() const { return data_.get(); }
  std::byte* bytes_at(std::size_t offset) const { return static_cast<std::byte*>(data_.get()) + offset; }
  std::size_t size() const { return bytes_; }

 private:
  std::unique_ptr<void, void (*)(void*)> data_{nullptr, +[](void*) {}};
  std::size_t bytes_ = 0;
};

/// Memory that another process can open.
struct SharedMemory {
  Memory memory;
  std::string handle;  ///< what Backend::open_shared() of the other process needs; one word
};

/// One replay's measurement.
struct Reading {
  double time_ns = 0;               ///< of the whole replay, first launch's start to last launch's end
  std::optional<double> clock_mhz;  ///< mean clock of the multiprocessors during the replay
  bool disturbed = false;           ///< something else used the same processor core before or after the replay
  /// time_ns by the device's own timer, from when the first gate opened to when the last one closed, less the harness's
  /// own overhead. A gate is a kernel that takes the whole device: when it is closed, nothing else runs. Absent if
  /// there is no clock besides that of time_ns.
  std::optional<double> device_ns;
  /// When the first gate closed and the last one opened again, by the device's timer; 0 if there are no gates.
  std::uint64_t first_gate_ns = 0, last_gate_ns = 0;
  /// time_ns by the host's clock, less the cost of starting a replay. Only with Surroundings::watch_host_clock.
  std::optional<double> host_ns;
};

/// Work of the harness around one replay, on the backend's stream.
struct Surroundings {
  std::function<void()> before = [] {};  ///< enqueues what has to be done right before the clock starts
  std::function<void()> behind = [] {};  ///< enqueues what must run right after it stops, before anything else can run
  /// Waits for `before`, and for the replay without `behind`, so that the host's clock sees the replay alone.
  bool watch_host_clock = false;
};

/// Work to record: `launches` calls of `launch(index)` in order, each enqueuing on the backend's stream.
struct Recording {
  int launches = 1;
  std::function<void(int index)> launch;
  /// Enqueues what the harness itself does right before each launch, as part of the recording; none when empty.
  std::function<void(int index)> prepare = {};
  /// Enqueues what the harness does behind the last launch, likewise.
  std::function<void()> finish = {};
  /// Lengthen each replay by this many nanoseconds at the end (perfcheck --inject-slowdown); 0 for none.
  double extra_ns = 0;
  /// Begin each replay with a cache that holds neither data of the launches nor dirty lines.
  bool cold = true;
};

/// Some launches of a recording, to be replayed each on its own.
struct Steps {
  int first = 0, count = 0;
  std::function<void(int index)> prepare;  ///< enqueues what the harness does right before a launch
};

/// How long they took, in order.
struct StepReadings {
  std::vector<double> times_ns;  ///< empty if no inventory of the recording was taken
  bool disturbed = false;        ///< something else used the processor cores of this process meanwhile
};

/// Recorded work. run() replays it once, waits for its end and reads its time.
class Replay {
 public:
  virtual ~Replay() = default;
  /// Replays everything once, and times each of these launches on its own: right behind `prepare`, with nothing else
  /// running. On a GPU these are the very nodes that run() replays: the kernel's host code does not run again and
  /// cannot tell the difference. Throws like run().
  virtual StepReadings run_steps(Steps const& steps, Surroundings const& around) = 0;
  /// Throws DeviceError, and Interference if something else was on the device when the clock started or stopped.
  virtual Reading run(Surroundings const& around) = 0;
  /// The kernels of the first launch. Empty on the CPU.
  virtual std::vector<model::LaunchAttributes> attributes() const { return {}; }
  /// One launch as text, equal for recordings that launch the same. Empty on the CPU.
  virtual std::string launch_text() const { return ""; }
  /// Whether launches begin before their predecessors have ended.
  virtual bool overlaps() const { return false; }
};

/// A batch's side of a device::Meeting, for work that is recorded.
class MeetingEnd {
 public:
  virtual ~MeetingEnd() = default;
  /// Enqueues work that reports that this point was reached, waits for the judge's secret and stores it in device
  /// memory. It gives up after minutes; the stored value is then not a secret of the judge.
  virtual void enqueue_await(std::uint64_t* secret) = 0;
  /// Enqueues work that shows the judge the value at `last`, in device memory.
  virtual void enqueue_tell(std::uint64_t const* last) = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// "cuda" or "cpu".
  virtual std::string name() const = 0;
  virtual model::DeviceInfo info() = 0;
  virtual model::Environment environment() = 0;
  virtual model::DeviceState state() = 0;
  /// Why this device cannot run code of `arch`, or empty.
  virtual Refusal refusal(Arch const& arch) const = 0;

  /// Throws OutOfMemory with the size asked for and the size free.
  virtual Memory allocate(std::size_t bytes) = 0;
  virtual std::size_t free_bytes() = 0;
  /// Inputs of up to this size stay in the cache from launch to launch, whoever else uses the device: a quarter of the
  /// last-level cache. On a CPU other cores share that cache, so it is half of a core's own cache.
  virtual std::int64_t hot_bytes() { return info().cache_bytes / 4; }
  /// Like allocate(), for two processes (sealed timing). The other one can open it as long as this one keeps it.
  virtual SharedMemory allocate_shared(std::size_t bytes) = 0;
  /// `bytes` is the size that was allocated. Throws DeviceError, with the remedy, if the handle cannot be opened here.
  virtual Memory open_shared(std::string const& handle, std::size_t bytes) = 0;
  /// The other side of the Meeting with this handle. Throws DeviceError.
  virtual std::unique_ptr<MeetingEnd> join_meeting(std::string const& handle) = 0;
  virtual void fill(void* data, std::uint8_t byte, std::size_t bytes) = 0;
  virtual void copy_to_host(void* host, void const* data, std::size_t bytes) = 0;
  virtual void copy_to_device(void* data, void const* host, std::size_t bytes) = 0;

  /// All work of the harness and of kernels goes here; null on the CPU.
  virtual Stream stream() const = 0;
  /// Throws DeviceError when a launch since the last call failed; does not wait.
  virtual void check_launch() = 0;
  /// Waits for the stream; throws DeviceError.
  virtual void synchronize() = 0;

  /// The launch that is recorded must have run once before, outside of a recording. Throws Interference when the
  /// recording holds anything but equal launches in a chain.
  virtual std::unique_ptr<Replay> record(Recording const& recording) = 0;

  /// Enqueues work that fills the last-level cache with clean lines that no launch needs. Does nothing on backends that
  /// cannot do so.
  virtual void empty_cache() {}
  /// Switches between the two orders in which the blocks of the next launch go to multiprocessors, by enqueuing an
  /// empty launch: every launch switches the order (docs/design.md, "Every replay begins alike"). Does nothing on
  /// backends without such orders.
  virtual void change_block_order() {}

  /// Throws Interference if a setting of the device or its stream differs from what it was at the start, after
  /// restoring it: limits, cache configuration, persisting lines.
  virtual void check_settings() {}
};

/// The CPU: memory is malloc's, a replay is a loop, times are steady_clock's, the clock is that of the core just before
/// and after the replay.
std::unique_ptr<Backend> make_cpu_backend();
/// From now on nothing on the device is freed: something runs on it that does not end, and every call that frees memory
/// would wait for that. The process is about to end.
void abandon_device();
bool device_is_abandoned();
/// CUDA device `index`. Throws DeviceError when there is none, with the reason the driver gives. Defined only in
/// programs that link perfcheck::device_cuda.
std::unique_ptr<Backend> make_cuda_backend(int index);

}  // namespace perfcheck::device
