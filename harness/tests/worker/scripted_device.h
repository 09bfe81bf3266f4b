// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A timed case and a backend that log what they are asked to do and report what a test wants them to find.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/worker/operation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::worker {

/// The log, and what the next replays report.
struct Script {
  std::vector<std::string> events;
  std::set<std::uint64_t> secrets;
  std::string wrong, changed, launch_text = "kernel k", settings, backend = "scripted";
  double device_factor = 1;
  std::vector<double> host_ns = {1e6};  // of the watched replays in turn; the last value is repeated
  double next_host_ns() {
    double const now = host_ns.front();
    if (host_ns.size() > 1) host_ns.erase(host_ns.begin());
    return now;
  }
  double replay_ns = 1e6;
  double alone_ns = 1e5;    // a launch replayed on its own
  int long_steps = 0;       // in this many next replays of single launches, each takes three times as long
  int disturbed_steps = 0;  // in this many next replays of single launches, they are disturbed
  double disturbed_ns = 0;  // a launch in the disturbed ones
  bool in_steps = false;    // within run_steps(), whose launches reuse a secret
  int step_replays = 0;
  std::vector<model::LaunchAttributes> attributes;
  std::uint64_t secret_of_inputs = 0, secret_compared = 0;
};

class ScriptedCase final : public TimedCase {
 public:
  explicit ScriptedCase(Script& script) : script_(script) {}
  int sets() const override { return 8; }
  void launch(int set) override { script_.events.push_back("launch " + std::to_string(set)); }
  void renew(verify::SetRange sets, std::uint64_t secret) override {
    script_.events.push_back("renew " + std::to_string(sets.first) + "+" + std::to_string(sets.count));
    script_.secret_of_inputs = secret;
    EXPECT_TRUE(script_.secrets.insert(secret).second || script_.in_steps) << "a secret was used twice";
  }
  void renew_late(std::uint64_t) override { script_.events.emplace_back("renew late"); }
  void compare(int sets, std::uint64_t secret, std::uint64_t) override {
    script_.events.push_back("compare " + std::to_string(sets));
    script_.secret_compared = secret;
  }
  std::string finding() override { return script_.wrong; }
  std::string changed_inputs(int, std::uint64_t) override { return script_.changed; }

 private:
  Script& script_;
};

class ScriptedReplay final : public device::Replay {
 public:
  ScriptedReplay(device::Recording recording, Script& script) : recording_(std::move(recording)), script_(script) {
    for (int i = 0; i < recording_.launches; ++i) recording_.launch(i);
    text_ = script.launch_text;
  }
  device::Reading run(device::Surroundings const& around) override {
    around.before();
    script_.events.emplace_back("start");
    around.behind();
    device::Reading reading;
    reading.time_ns = script_.replay_ns;
    reading.device_ns = script_.replay_ns * script_.device_factor;
    if (around.watch_host_clock) reading.host_ns = script_.next_host_ns();
    return reading;
  }
  device::StepReadings run_steps(device::Steps const& steps, device::Surroundings const& around) override {
    around.before();
    script_.in_steps = true;
    ++script_.step_replays;
    for (int i = 0; i < recording_.launches; ++i) {
      if (i >= steps.first && i < steps.first + steps.count) steps.prepare(i);
      script_.events.emplace_back("step " + std::to_string(i));
    }
    script_.in_steps = false;
    around.behind();
    bool const disturbed = script_.disturbed_steps-- > 0;
    double const alone_ns = script_.long_steps-- > 0 ? 3 * script_.alone_ns : script_.alone_ns;
    double const time_ns = disturbed ? script_.disturbed_ns : alone_ns;
    return {.times_ns = std::vector<double>(static_cast<std::size_t>(steps.count), time_ns), .disturbed = disturbed};
  }
  std::vector<model::LaunchAttributes> attributes() const override { return script_.attributes; }
  std::string launch_text() const override { return text_; }

 private:
  device::Recording recording_;
  Script& script_;
  std::string text_;
};

/// A backend in which only replays and settings do anything.
class ScriptedBackend final : public device::Backend {
 public:
  explicit ScriptedBackend(Script& script) : script_(script) {}
  std::string name() const override { return script_.backend; }
  model::DeviceInfo info() override {
    model::DeviceInfo device;
    device.name = device.slug = "scripted";
    device.backend = script_.backend;
    return device;
  }
  model::Environment environment() override { return {}; }
  model::DeviceState state() override { return {}; }
  Refusal refusal(Arch const&) const override { return {}; }
  device::Memory allocate(std::size_t) override { return {}; }
  std::size_t free_bytes() override { return 0; }
  device::SharedMemory allocate_shared(std::size_t) override { return {}; }
  device::Memory open_shared(std::string const&, std::size_t) override { return {}; }
  std::unique_ptr<device::MeetingEnd> join_meeting(std::string const&) override { return nullptr; }
  void fill(void*, std::uint8_t, std::size_t) override {}
  void copy_to_host(void*, void const*, std::size_t) override {}
  void copy_to_device(void*, void const*, std::size_t) override {}
  Stream stream() const override { return nullptr; }
  void check_launch() override {}
  void synchronize() override {}
  std::unique_ptr<device::Replay> record(device::Recording const& recording) override {
    return std::make_unique<ScriptedReplay>(recording, script_);
  }
  void check_settings() override {
    if (!script_.settings.empty()) throw device::Interference(script_.settings);
  }

 private:
  Script& script_;
};

}  // namespace perfcheck::worker
