// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// NVML, loaded at run time: it may be absent, and then its facts are absent too.
#pragma once

#include "perfcheck/model/run.h"

#include <cstdint>
#include <memory>
#include <string>

namespace perfcheck::device {

/// One GPU as NVML sees it, found by its PCI bus id (NVML and CUDA number devices differently).
class Nvml {
 public:
  /// Never throws; when NVML or the device cannot be had, every answer is empty and `unavailable()` says why.
  explicit Nvml(std::string const& pci_bus_id);
  ~Nvml();
  Nvml(Nvml const&) = delete;
  Nvml& operator=(Nvml const&) = delete;

  std::string const& unavailable() const;
  model::DeviceState state() const;
  /// Fills in driver, power limit, modes and warnings.
  void describe(model::Environment& environment) const;
  /// What the whole board used since the driver was loaded, in millijoules. Advances in steps, about every 100 ms on
  /// data-centre GPUs. Throws std::runtime_error, which says why, if it cannot be read: devices before Volta, and many
  /// virtual ones, have no such counter (nvml.h, nvmlDeviceGetTotalEnergyConsumption).
  std::uint64_t energy_mj() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace perfcheck::device
