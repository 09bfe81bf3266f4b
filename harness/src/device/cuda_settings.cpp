// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_settings.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

namespace perfcheck::device {
namespace {

std::size_t limit_now(cudaLimit limit) {
  std::size_t value = 0;
  if (cudaDeviceGetLimit(&value, limit) != cudaSuccess) (void)cudaGetLastError();  // this device has no such limit
  return value;
}

std::size_t window_bytes(cudaStream_t stream) {
  cudaStreamAttrValue value{};
  if (cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return value.accessPolicyWindow.num_bytes;
}

}  // namespace

CudaSettings::CudaSettings(cudaStream_t stream)
    : stream_(stream),
      limits_{{cudaLimitPersistingL2CacheSize, "persisting lines of the cache", 0},
              {cudaLimitMaxL2FetchGranularity, "fetch granularity of the cache", 0},
              {cudaLimitMallocHeapSize, "heap of the device", 0},
              {cudaLimitPrintfFifoSize, "buffer of printf", 0}},
      stack_bytes_(limit_now(cudaLimitStackSize)) {
  for (auto& limit : limits_) limit.value = limit_now(limit.limit);
  PERFCHECK_CUDA(cudaDeviceGetCacheConfig(&cache_));
}

std::string CudaSettings::restore() {
  std::string changed;
  auto const note = [&](std::string const& text) { changed += (changed.empty() ? "" : "; ") + text; };
  for (auto const& limit : limits_) {
    auto const now = limit_now(limit.limit);
    if (now == limit.value) continue;
    note(fmt::format("{}: {} bytes, now {}", limit.name, limit.value, now));
    PERFCHECK_CUDA(cudaDeviceSetLimit(limit.limit, limit.value));
  }
  if (!changed.empty()) PERFCHECK_CUDA(cudaCtxResetPersistingL2Cache());
  // The driver itself raises the stack size for a kernel that needs more, so a change is undone but not reported.
  if (limit_now(cudaLimitStackSize) != stack_bytes_)
    PERFCHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, stack_bytes_));
  cudaFuncCache cache{};
  PERFCHECK_CUDA(cudaDeviceGetCacheConfig(&cache));
  if (cache != cache_) {
    note(fmt::format("cache configuration: {}, now {}", static_cast<int>(cache_), static_cast<int>(cache)));
    PERFCHECK_CUDA(cudaDeviceSetCacheConfig(cache_));
  }
  if (auto const bytes = window_bytes(stream_); bytes != 0) {
    note(fmt::format("a window of {} bytes in the cache, set on the stream that was given", bytes));
    cudaStreamAttrValue const none{};
    PERFCHECK_CUDA(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &none));
  }
  return changed;
}

}  // namespace perfcheck::device
