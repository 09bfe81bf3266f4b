// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::device {

/// Name, size and peaks of CUDA device `index`. Throws CudaError.
model::DeviceInfo cuda_device_info(int index);

/// Peak arithmetic rates in TFLOP/s at `clock_mhz`, for the compute capabilities whose rates NVIDIA publishes; others
/// get no entry. A multiply-add counts as two. Source: "Throughput of Native Arithmetic Instructions" in the CUDA
/// Programming Guide for FP32, the A100 and H100 white papers for the dense tensor-core rates.
std::map<std::string, double> peak_tflops(int major, int minor, int multiprocessors, double clock_mhz);

/// PCI address as NVML wants it, "00000000:01:00.0".
std::string pci_bus_id(int index);

}  // namespace perfcheck::device
