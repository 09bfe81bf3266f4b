// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_info.h"
#include "cuda_replay.h"
#include "cuda_settings.h"
#include "host_info.h"
#include "nvml_state.h"
#include "perfcheck/device/meeting.h"
#include "perfcheck/model/defences.h"
#include "probes.h"
#include "shared_host_memory.h"

#include <perfcheck/cuda_check.h>

#include <fmt/format.h>

#include <optional>

namespace perfcheck::device {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// Turns a failed call into a DeviceError that knows whether the context survived it.
void check(cudaError_t code, char const* what) {
  if (code == cudaSuccess) {
    return;
  }
  (void)cudaGetLastError();
  // A sticky error comes back from every later call; anything else is gone once it was read. While a stream is being
  // captured, waiting is refused, which says nothing about the context.
  auto const after = cudaDeviceSynchronize();
  (void)cudaGetLastError();
  bool const lost =
      after != cudaSuccess && after != cudaErrorStreamCaptureUnsupported && after != cudaErrorStreamCaptureInvalidated;
  throw DeviceError(fmt::format("{}: {} ({})", what, cudaGetErrorName(code), cudaGetErrorString(code)), lost);
}

int usable_device(int index) {
  int count = 0;
  if (auto const code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    throw DeviceError(fmt::format("no usable CUDA device: {} ({}); run nvidia-smi to see what the driver says",
                                  cudaGetErrorName(code), cudaGetErrorString(code)),
                      false);
  }
  if (index < 0 || index >= count) {
    throw DeviceError(fmt::format("there is no CUDA device {}: this machine has {}, numbered from 0", index, count),
                      false);
  }
  return index;
}

/// Host memory of another process, as the device sees it.
class CudaMeetingEnd final : public MeetingEnd {
 public:
  CudaMeetingEnd(std::string const& handle, cudaStream_t stream)
      : stream_(stream), memory_(open_shared_host_memory(handle, sizeof(MeetingPlace))) {
    check(cudaHostRegister(memory_.data(), sizeof(MeetingPlace), cudaHostRegisterMapped),
          "showing the device the judge's meeting place (cudaHostRegister)");
    void* place = nullptr;
    auto const code = cudaHostGetDevicePointer(&place, memory_.data(), 0);
    if (code != cudaSuccess) leave();
    check(code, "finding the judge's meeting place on the device");
    place_ = static_cast<MeetingPlace*>(place);
  }
  ~CudaMeetingEnd() override { leave(); }
  CudaMeetingEnd(CudaMeetingEnd const&) = delete;
  CudaMeetingEnd& operator=(CudaMeetingEnd const&) = delete;

  void enqueue_await(std::uint64_t* secret) override {
    check(enqueue_await_release(place_, secret, stream_), "waiting for the judge's secret");
  }
  void enqueue_tell(std::uint64_t const* last) override {
    check(enqueue_tell_end(place_, last, stream_), "telling the judge the last secret");
  }

 private:
  void leave() const {
    if (!device_is_abandoned()) (void)cudaHostUnregister(memory_.data());
  }

  cudaStream_t stream_;
  Memory memory_;
  MeetingPlace* place_ = nullptr;
};

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(int index) : index_(usable_device(index)) {
    check(cudaSetDevice(index_), "cudaSetDevice");
    check(cudaFree(nullptr), "creating the CUDA context");
    info_ = cuda_device_info(index_);
    check(cudaDeviceGetAttribute(&major_, cudaDevAttrComputeCapabilityMajor, index_), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor_, cudaDevAttrComputeCapabilityMinor, index_), "cudaDeviceGetAttribute");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    stream_.reset(stream);
    nvml_.emplace(pci_bus_id(index_));
    settings_.emplace(stream);
    replays_.emplace(stream, info_.multiprocessors, info_.cache_bytes);
    info_.empty_launch_ns = replays_->overheads().empty_launch_ns;
  }

  std::string name() const override { return "cuda"; }
  model::DeviceInfo info() override { return info_; }
  model::DeviceState state() override { return nvml_->state(); }

  model::Environment environment() override {
    model::Environment environment;
    environment.host = host_name();
    environment.os = os_name();
    environment.cpu = cpu_name();
    int version = 0;
    check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    environment.cuda_driver = version_text(version);
    check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
    environment.cuda_runtime = version_text(version);
    nvml_->describe(environment);
    if (environment.mig == "on") {
      environment.warnings.push_back(
          "MIG is on: this instance shares clocks and power with others; compare only with a baseline of the same "
          "instance");
    }
    return environment;
  }

  Refusal refusal(Arch const& arch) const override {
    int const has = major_ * 10 + minor_;
    int const needs = arch.major * 10 + arch.minor;
    if (arch.exact ? has == needs : has >= needs) {
      return std::nullopt;
    }
    return fmt::format("needs compute capability {}.{}{}, this device has {}.{}", arch.major, arch.minor,
                       arch.exact ? " exactly" : " or newer", major_, minor_);
  }

  Memory allocate(std::size_t bytes) override {
    void* data = nullptr;
    auto const code = cudaMalloc(&data, bytes);
    if (code == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      throw OutOfMemory(fmt::format(
          "no device memory for {} bytes ({} bytes free): free the GPU or leave the problem out", bytes, free_bytes()));
    }
    check(code, "cudaMalloc");
    return Memory(data, bytes, [](void* p) { DeviceMemoryFreer()(p); });
  }

  std::size_t free_bytes() override {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  }

  SharedMemory allocate_shared(std::size_t bytes) override {
    SharedMemory shared{.memory = allocate(bytes), .handle = ""};
    cudaIpcMemHandle_t handle{};
    check(cudaIpcGetMemHandle(&handle, shared.memory.data()), "sharing device memory (cudaIpcGetMemHandle)");
    for (char const byte : handle.reserved) shared.handle += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return shared;
  }

  Memory open_shared(std::string const& text, std::size_t bytes) override {
    cudaIpcMemHandle_t handle{};
    if (text.size() != 2 * sizeof handle.reserved || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
      throw DeviceError("a handle of shared device memory is malformed", false);
    }
    for (std::size_t i = 0; i < sizeof handle.reserved; ++i) {
      handle.reserved[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
    }
    void* data = nullptr;
    check(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess),
          "opening the other process's device memory (cudaIpcOpenMemHandle)");
    return Memory(data, bytes, [](void* p) {
      if (!device_is_abandoned()) (void)cudaIpcCloseMemHandle(p);
    });
  }

  std::unique_ptr<MeetingEnd> join_meeting(std::string const& handle) override {
    return std::make_unique<CudaMeetingEnd>(handle, stream_.get());
  }

  void fill(void* data, std::uint8_t byte, std::size_t bytes) override {
    check(cudaMemsetAsync(data, byte, bytes, stream_.get()), "cudaMemsetAsync");
  }
  void copy_to_host(void* host, void const* data, std::size_t bytes) override {
    check(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream_.get()), "copying to the host");
    synchronize();
  }
  void copy_to_device(void* data, void const* host, std::size_t bytes) override {
    check(cudaMemcpyAsync(data, host, bytes, cudaMemcpyHostToDevice, stream_.get()), "copying to the device");
    synchronize();
  }

  Stream stream() const override { return stream_.get(); }
  void check_launch() override { check(cudaGetLastError(), "launching the kernel"); }
  void synchronize() override { check(cudaStreamSynchronize(stream_.get()), "running the kernel"); }

  std::unique_ptr<Replay> record(Recording const& recording) override {
    Recording checked = recording;
    checked.launch = [this, &recording](int index) {
      recording.launch(index);
      check_launch();
    };
    return record_cuda(checked, *replays_, replays_->overheads());
  }

  void change_block_order() override { check(enqueue_nothing(stream_.get()), "an empty launch"); }
  void empty_cache() override {
    check(enqueue_empty_cache(replays_->gate(), stream_.get()), "emptying the level 2 cache");
  }

  void check_settings() override {
    if (!model::applies(model::Defence::settings)) return;
    if (auto const changed = settings_->restore(); !changed.empty()) {
      throw Interference("a launch left settings of the device behind, which change what is measured: " + changed);
    }
  }

 private:
  int index_;
  int major_ = 0, minor_ = 0;
  model::DeviceInfo info_;
  OwnedStream stream_;
  std::optional<Nvml> nvml_;
  std::optional<CudaSettings> settings_;
  std::optional<ReplayDevice> replays_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int index) { return std::make_unique<CudaBackend>(index); }

}  // namespace perfcheck::device
