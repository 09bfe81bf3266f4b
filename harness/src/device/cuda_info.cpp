// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_info.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

namespace perfcheck::device {
namespace {

/// Operations per clock and multiprocessor, dense.
struct Rates {
  int major, minor;
  double f32, tf32, f16;  // bf16 has the rate of f16
};

constexpr Rates kRates[] = {
    {8, 0, 128, 1024, 2048},
    {9, 0, 256, 2048, 4096},
};

int device_attribute(cudaDeviceAttr attribute, int index) {
  int value = 0;
  PERFCHECK_CUDA(cudaDeviceGetAttribute(&value, attribute, index));
  return value;
}

std::string uuid_text(cudaUUID_t const& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    text += (i == 4 || i == 6 || i == 8 || i == 10) ? "-" : "";
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

std::map<std::string, double> peak_tflops(int major, int minor, int multiprocessors, double clock_mhz) {
  for (auto const& rates : kRates) {
    if (rates.major == major && rates.minor == minor) {
      double const scale = multiprocessors * clock_mhz * 1e6 / 1e12;
      return {{"f32", rates.f32 * scale},
              {"tf32", rates.tf32 * scale},
              {"f16", rates.f16 * scale},
              {"bf16", rates.f16 * scale}};
    }
  }
  return {};
}

std::string pci_bus_id(int index) {
  char id[32] = "";
  PERFCHECK_CUDA(cudaDeviceGetPCIBusId(id, sizeof id, index));
  return id;
}

model::DeviceInfo cuda_device_info(int index) {
  cudaDeviceProp properties{};
  PERFCHECK_CUDA(cudaGetDeviceProperties(&properties, index));
  model::DeviceInfo info;
  info.backend = "cuda";
  info.index = index;
  info.name = properties.name;
  info.slug = model::slug_of(info.name);
  info.uuid = uuid_text(properties.uuid);
  info.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  info.multiprocessors = properties.multiProcessorCount;
  info.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  info.cache_bytes = properties.l2CacheSize;
  info.max_clock_mhz = device_attribute(cudaDevAttrClockRate, index) / 1e3;
  info.peak_tflops = peak_tflops(properties.major, properties.minor, info.multiprocessors, info.max_clock_mhz);
  // Two transfers per clock; the bus width is in bits.
  double const memory_hz = device_attribute(cudaDevAttrMemoryClockRate, index) * 1e3;
  double const peak = 2 * memory_hz * device_attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8 / 1e9;
  if (peak > 0) {
    info.peak_gb_s = peak;
  }
  return info;
}

}  // namespace perfcheck::device
