// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "nvml_state.h"

#include "host_info.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#if __has_include(<nvml.h>)
#include <nvml.h>
#define PERFCHECK_HAVE_NVML 1
#else
#define PERFCHECK_HAVE_NVML 0
#endif

namespace perfcheck::device {

#if PERFCHECK_HAVE_NVML

// Versioned names as the library exports them; nvml.h maps the plain names in the declarations above to the same.
#define PERFCHECK_FETCH(member, name) fetch(member, #name)

struct Nvml::Library {
  void* handle = nullptr;
  nvmlDevice_t device = nullptr;
  std::string unavailable;

  decltype(&nvmlInit) init = nullptr;
  decltype(&nvmlShutdown) shutdown = nullptr;
  decltype(&nvmlErrorString) error_string = nullptr;
  decltype(&nvmlDeviceGetHandleByPciBusId) device_by_bus_id = nullptr;
  decltype(&nvmlSystemGetDriverVersion) driver_version = nullptr;
  decltype(&nvmlDeviceGetClockInfo) clock_info = nullptr;
  decltype(&nvmlDeviceGetPowerUsage) power_usage = nullptr;
  decltype(&nvmlDeviceGetEnforcedPowerLimit) power_limit = nullptr;
  decltype(&nvmlDeviceGetPowerManagementDefaultLimit) default_power_limit = nullptr;
  decltype(&nvmlDeviceGetTemperature) temperature = nullptr;
  decltype(&nvmlDeviceGetCurrentClocksEventReasons) event_reasons = nullptr;
  decltype(&nvmlDeviceGetComputeRunningProcesses) processes = nullptr;
  decltype(&nvmlDeviceGetPersistenceMode) persistence_mode = nullptr;
  decltype(&nvmlDeviceGetEccMode) ecc_mode = nullptr;
  decltype(&nvmlDeviceGetMigMode) mig_mode = nullptr;
  decltype(&nvmlDeviceGetComputeMode) compute_mode = nullptr;
  // Some drivers and devices do not have these; their facts are absent then.
  decltype(&nvmlDeviceGetTotalEccErrors) ecc_errors = nullptr;
  decltype(&nvmlDeviceGetRemappedRows) remapped_rows = nullptr;
  decltype(&nvmlDeviceGetViolationStatus) violation = nullptr;
  decltype(&nvmlDeviceGetTotalEnergyConsumption) energy = nullptr;
  /// Nanoseconds that the clock was held down until state() was last called, by kViolations.
  std::array<unsigned long long, 2> violated_ns{};

  template <typename Function>
  void fetch(Function& function, char const* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr && unavailable.empty()) {
      unavailable = fmt::format("libnvidia-ml.so.1 has no {}: update the NVIDIA driver", name);
    }
  }

  template <typename Function>
  void fetch_optional(Function& function, char const* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
  }

  void fetch_all() {
    PERFCHECK_FETCH(init, nvmlInit_v2);
    PERFCHECK_FETCH(shutdown, nvmlShutdown);
    PERFCHECK_FETCH(error_string, nvmlErrorString);
    PERFCHECK_FETCH(device_by_bus_id, nvmlDeviceGetHandleByPciBusId_v2);
    PERFCHECK_FETCH(driver_version, nvmlSystemGetDriverVersion);
    PERFCHECK_FETCH(clock_info, nvmlDeviceGetClockInfo);
    PERFCHECK_FETCH(power_usage, nvmlDeviceGetPowerUsage);
    PERFCHECK_FETCH(power_limit, nvmlDeviceGetEnforcedPowerLimit);
    PERFCHECK_FETCH(default_power_limit, nvmlDeviceGetPowerManagementDefaultLimit);
    PERFCHECK_FETCH(temperature, nvmlDeviceGetTemperature);
    PERFCHECK_FETCH(event_reasons, nvmlDeviceGetCurrentClocksEventReasons);
    PERFCHECK_FETCH(processes, nvmlDeviceGetComputeRunningProcesses_v3);
    PERFCHECK_FETCH(persistence_mode, nvmlDeviceGetPersistenceMode);
    PERFCHECK_FETCH(ecc_mode, nvmlDeviceGetEccMode);
    PERFCHECK_FETCH(mig_mode, nvmlDeviceGetMigMode);
    PERFCHECK_FETCH(compute_mode, nvmlDeviceGetComputeMode);
    fetch_optional(ecc_errors, "nvmlDeviceGetTotalEccErrors");
    fetch_optional(remapped_rows, "nvmlDeviceGetRemappedRows");
    fetch_optional(violation, "nvmlDeviceGetViolationStatus");
    fetch_optional(energy, "nvmlDeviceGetTotalEnergyConsumption");
  }

  void open(std::string const& pci_bus_id) {
    handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      unavailable = "libnvidia-ml.so.1 was not found: install the NVIDIA driver's management library";
      return;
    }
    fetch_all();
    if (!unavailable.empty()) {
      return;
    }
    if (auto const code = init(); code != NVML_SUCCESS) {
      unavailable = fmt::format("nvmlInit: {}", error_string(code));
      return;
    }
    if (auto const code = device_by_bus_id(pci_bus_id.c_str(), &device); code != NVML_SUCCESS) {
      unavailable = fmt::format("NVML does not know the device at {}: {}", pci_bus_id, error_string(code));
    }
  }

  /// Processes on the device that are not this one; empty when the driver does not tell.
  std::optional<std::vector<std::string>> other_processes() const {
    unsigned count = 64;
    nvmlProcessInfo_t list[64];
    auto const code = processes(device, &count, list);
    if (code != NVML_SUCCESS) {
      return std::nullopt;
    }
    std::vector<std::string> others;
    for (unsigned i = 0; i < count; ++i) {
      if (list[i].pid != static_cast<unsigned>(getpid())) {
        others.push_back(process_text(list[i].pid));
      }
    }
    return others;
  }

  std::vector<std::string> reasons() const;
  std::vector<std::string> faults() const;
  /// Adds what held the clock down at any time since the last call.
  void add_violations(std::vector<std::string>& reasons);
};

namespace {

struct NamedReason {
  unsigned long long bit;
  char const* name;
};

constexpr NamedReason kReasons[] = {
    {nvmlClocksEventReasonApplicationsClocksSetting, "application clocks setting"},
    {nvmlClocksEventReasonSwPowerCap, "power cap"},
    {nvmlClocksThrottleReasonHwSlowdown, "hardware slowdown"},
    {nvmlClocksEventReasonSyncBoost, "sync boost"},
    {nvmlClocksEventReasonSwThermalSlowdown, "software thermal slowdown"},
    {nvmlClocksThrottleReasonHwThermalSlowdown, "hardware thermal slowdown"},
    {nvmlClocksThrottleReasonHwPowerBrakeSlowdown, "power brake"},
    {nvmlClocksEventReasonDisplayClockSetting, "display clock setting"},
};

struct NamedViolation {
  nvmlPerfPolicyType_t policy;
  char const* name;
};

constexpr std::array<NamedViolation, 2> kViolations = {
    {{NVML_PERF_POLICY_THERMAL, "thermal violation"}, {NVML_PERF_POLICY_BOARD_LIMIT, "board limit violation"}}};

std::string on_or_off(bool on) { return on ? "on" : "off"; }

}  // namespace

std::vector<std::string> Nvml::Library::reasons() const {
  std::vector<std::string> names;
  unsigned long long bits = 0;
  if (event_reasons(device, &bits) == NVML_SUCCESS) {
    for (auto const& reason : kReasons) {
      if ((bits & reason.bit) != 0) {
        names.emplace_back(reason.name);
      }
    }
  }
  return names;
}

std::vector<std::string> Nvml::Library::faults() const {
  std::vector<std::string> found;
  unsigned long long errors = 0;
  if (ecc_errors != nullptr &&
      ecc_errors(device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC, &errors) == NVML_SUCCESS &&
      errors > 0) {
    found.push_back(
        fmt::format("{} uncorrected ECC error{} since the driver was loaded", errors, errors == 1 ? "" : "s"));
  }
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (remapped_rows != nullptr && remapped_rows(device, &corrected, &uncorrected, &pending, &failed) == NVML_SUCCESS) {
    if (pending != 0) {
      found.emplace_back("memory rows wait to be remapped: reset the GPU");
    }
    if (failed != 0) {
      found.emplace_back("memory rows could not be remapped: have the GPU replaced");
    }
  }
  return found;
}

void Nvml::Library::add_violations(std::vector<std::string>& reasons) {
  for (std::size_t i = 0; violation != nullptr && i < kViolations.size(); ++i) {
    nvmlViolationTime_t time{};
    if (violation(device, kViolations[i].policy, &time) != NVML_SUCCESS) {
      continue;
    }
    if (violated_ns[i] != 0 && time.violationTime > violated_ns[i]) {
      reasons.emplace_back(kViolations[i].name);
    }
    violated_ns[i] = std::max(time.violationTime, 1ULL);  // 0 stands for "not asked yet"
  }
}

Nvml::Nvml(std::string const& pci_bus_id) : library_(std::make_unique<Library>()) { library_->open(pci_bus_id); }

Nvml::~Nvml() {
  if (library_->device != nullptr) {
    (void)library_->shutdown();
  }
  if (library_->handle != nullptr) {
    (void)dlclose(library_->handle);
  }
}

std::string const& Nvml::unavailable() const { return library_->unavailable; }

model::DeviceState Nvml::state() const {
  model::DeviceState state;
  Library& nvml = *library_;
  if (!nvml.unavailable.empty()) {
    return state;
  }
  unsigned value = 0;
  if (nvml.clock_info(nvml.device, NVML_CLOCK_SM, &value) == NVML_SUCCESS) {
    state.sm_clock_mhz = value;
  }
  if (nvml.clock_info(nvml.device, NVML_CLOCK_MEM, &value) == NVML_SUCCESS) {
    state.memory_clock_mhz = value;
  }
  if (nvml.power_usage(nvml.device, &value) == NVML_SUCCESS) {
    state.power_w = value / 1e3;
  }
  if (nvml.temperature(nvml.device, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS) {
    state.temperature_c = value;
  }
  state.throttle_reasons = nvml.reasons();
  nvml.add_violations(state.throttle_reasons);
  if (auto others = nvml.other_processes()) {
    state.other_processes = static_cast<int>(others->size());
    state.processes = std::move(*others);
  }
  state.faults = nvml.faults();
  return state;
}

void Nvml::describe(model::Environment& environment) const {
  Library const& nvml = *library_;
  if (!nvml.unavailable.empty()) {
    environment.warnings.push_back("clocks, power and other processes cannot be read: " + nvml.unavailable);
    return;
  }
  char version[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = "";
  if (nvml.driver_version(version, sizeof version) == NVML_SUCCESS) {
    environment.driver = version;
  }
  unsigned limit = 0, default_limit = 0;
  if (nvml.power_limit(nvml.device, &limit) == NVML_SUCCESS) {
    environment.power_limit_w = limit / 1e3;
    if (nvml.default_power_limit(nvml.device, &default_limit) == NVML_SUCCESS && limit < default_limit) {
      environment.warnings.push_back(fmt::format(
          "the power limit is {:.0f} W, below the default of {:.0f} W: large kernels will be slower than on "
          "other cards; restore it with nvidia-smi -pl {:.0f}",
          limit / 1e3, default_limit / 1e3, default_limit / 1e3));
    }
  }
  nvmlEnableState_t mode{}, pending{};
  if (nvml.persistence_mode(nvml.device, &mode) == NVML_SUCCESS) {
    environment.persistence_mode = on_or_off(mode == NVML_FEATURE_ENABLED);
  }
  if (nvml.ecc_mode(nvml.device, &mode, &pending) == NVML_SUCCESS) {
    environment.ecc = on_or_off(mode == NVML_FEATURE_ENABLED);
  }
  unsigned mig = 0, pending_mig = 0;
  if (nvml.mig_mode(nvml.device, &mig, &pending_mig) == NVML_SUCCESS) {
    environment.mig = on_or_off(mig == NVML_DEVICE_MIG_ENABLE);
  }
  nvmlComputeMode_t compute{};
  if (nvml.compute_mode(nvml.device, &compute) == NVML_SUCCESS) {
    environment.compute_mode = compute == NVML_COMPUTEMODE_DEFAULT      ? "default"
                               : compute == NVML_COMPUTEMODE_PROHIBITED ? "prohibited"
                                                                        : "exclusive process";
  }
  if (auto const others = nvml.other_processes(); others && !others->empty()) {
    environment.warnings.push_back(fmt::format(
        "{} other process{} on this GPU ({}): its work will disturb the measurement; wait for it or stop it",
        others->size(), others->size() == 1 ? " is" : "es are", fmt::join(*others, ", ")));
  }
  for (std::string const& fault : nvml.faults()) {
    environment.warnings.push_back(fmt::format("the GPU is faulty: {}; results of it cannot be trusted", fault));
  }
  for (auto const& reason : nvml.reasons()) {
    if (reason.find("thermal") != std::string::npos || reason.find("brake") != std::string::npos ||
        reason.find("hardware") != std::string::npos) {
      environment.warnings.push_back(
          fmt::format("the clock is held down by: {}; check cooling and power supply before trusting times", reason));
    }
  }
}

std::uint64_t Nvml::energy_mj() const {
  Library const& nvml = *library_;
  if (!nvml.unavailable.empty()) {
    throw std::runtime_error("the energy counter cannot be read: " + nvml.unavailable);
  }
  if (nvml.energy == nullptr) {
    throw std::runtime_error("this driver has no energy counter: update the NVIDIA driver");
  }
  unsigned long long millijoules = 0;
  if (auto const code = nvml.energy(nvml.device, &millijoules); code != NVML_SUCCESS) {
    throw std::runtime_error(fmt::format("the energy counter cannot be read: {}", nvml.error_string(code)));
  }
  return millijoules;
}

#else

struct Nvml::Library {
  std::string unavailable = "this worker was built without nvml.h";
};
Nvml::Nvml(std::string const&) : library_(std::make_unique<Library>()) {}
Nvml::~Nvml() = default;
std::string const& Nvml::unavailable() const { return library_->unavailable; }
model::DeviceState Nvml::state() const { return {}; }
void Nvml::describe(model::Environment& environment) const {
  environment.warnings.push_back("clocks, power and other processes cannot be read: " + library_->unavailable);
}
std::uint64_t Nvml::energy_mj() const {
  throw std::runtime_error("the energy counter cannot be read: " + library_->unavailable);
}

#endif

}  // namespace perfcheck::device
