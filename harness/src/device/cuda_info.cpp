// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_info.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace perfcheck::device {
namespace {

/// Operations per clock and multiprocessor, dense.
struct Rates {
  int major, minor;
  double f64, f32, tf32, f16;  // by tensor cores, where they have it; bf16 has the rate of f16
  double f8, i8;               // 0 where there is no such unit
  double cache_bytes;          // from the level 2 cache, per clock and multiprocessor: the width of its port
};

// NVIDIA A100 (1.0, 2020) and H100 (1.04, 2023) tensor core GPU architecture whitepapers.
constexpr Rates kRates[] = {
    {8, 0, 128, 128, 1024, 2048, 0, 4096, 64},
    {9, 0, 256, 256, 2048, 4096, 8192, 8192, 64},
};

Rates const* rates_of(int major, int minor) {
  auto const* const found = std::find_if(std::begin(kRates), std::end(kRates), [&](Rates const& rates) {
    return rates.major == major && rates.minor == minor;
  });
  return found == std::end(kRates) ? nullptr : found;
}

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
  auto const* const rates = rates_of(major, minor);
  if (rates == nullptr) return {};
  double const scale = multiprocessors * clock_mhz * 1e6 / 1e12;
  std::map<std::string, double> peaks = {{"f64", rates->f64 * scale},
                                         {"f32", rates->f32 * scale},
                                         {"tf32", rates->tf32 * scale},
                                         {"f16", rates->f16 * scale},
                                         {"bf16", rates->f16 * scale}};
  if (rates->f8 > 0) peaks["f8"] = rates->f8 * scale;
  if (rates->i8 > 0) peaks["i8"] = rates->i8 * scale;
  return peaks;
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
  if (auto const* const rates = rates_of(properties.major, properties.minor)) {
    info.peak_cache_gb_s = rates->cache_bytes * info.multiprocessors * info.max_clock_mhz * 1e6 / 1e9;
  }
  return info;
}

}  // namespace perfcheck::device
