// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A libnvidia-ml.so.1 of one device, whose energy counter answers as the environment variable MADE_UP_ENERGY says:
// a number of millijoules, or nothing for a device without one.
#include <nvml.h>

#include <cstdlib>
#include <cstring>

extern "C" {

nvmlReturn_t nvmlInit_v2() { return NVML_SUCCESS; }
nvmlReturn_t nvmlShutdown() { return NVML_SUCCESS; }
char const* nvmlErrorString(nvmlReturn_t code) {
  return code == NVML_ERROR_NOT_SUPPORTED ? "Not Supported" : "another error";
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(char const*, nvmlDevice_t* device) {
  static int one = 0;
  *device = reinterpret_cast<nvmlDevice_t>(&one);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t, unsigned long long* energy) {
  char const* const text = std::getenv("MADE_UP_ENERGY");
  if (text == nullptr) return NVML_ERROR_NOT_SUPPORTED;
  *energy = std::strtoull(text, nullptr, 10);
  return NVML_SUCCESS;
}

// Everything else is there, as in a driver, and knows nothing.
#define UNKNOWN(name, ...) \
  nvmlReturn_t name(__VA_ARGS__) { return NVML_ERROR_NOT_SUPPORTED; }
UNKNOWN(nvmlSystemGetDriverVersion, char*, unsigned)
UNKNOWN(nvmlDeviceGetClockInfo, nvmlDevice_t, nvmlClockType_t, unsigned*)
UNKNOWN(nvmlDeviceGetPowerUsage, nvmlDevice_t, unsigned*)
UNKNOWN(nvmlDeviceGetEnforcedPowerLimit, nvmlDevice_t, unsigned*)
UNKNOWN(nvmlDeviceGetPowerManagementDefaultLimit, nvmlDevice_t, unsigned*)
UNKNOWN(nvmlDeviceGetTemperature, nvmlDevice_t, nvmlTemperatureSensors_t, unsigned*)
UNKNOWN(nvmlDeviceGetCurrentClocksEventReasons, nvmlDevice_t, unsigned long long*)
UNKNOWN(nvmlDeviceGetComputeRunningProcesses_v3, nvmlDevice_t, unsigned*, nvmlProcessInfo_t*)
UNKNOWN(nvmlDeviceGetPersistenceMode, nvmlDevice_t, nvmlEnableState_t*)
UNKNOWN(nvmlDeviceGetEccMode, nvmlDevice_t, nvmlEnableState_t*, nvmlEnableState_t*)
UNKNOWN(nvmlDeviceGetMigMode, nvmlDevice_t, unsigned*, unsigned*)
UNKNOWN(nvmlDeviceGetComputeMode, nvmlDevice_t, nvmlComputeMode_t*)

}  // extern "C"
