// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages between a judge and a kernel's process in sealed timing: one JSON object per line on the process's standard
// input and output (docs/sealed.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace perfcheck::protocol {

/// Version of these messages; part of the first one.
inline constexpr int kSealedVersion = 3;

/// Take a device.
struct SealedHello {
  int device = 0;
};
/// Prepare a kernel on a problem, with outputs in the judge's memory.
struct OpenRequest {
  std::string kernel;      ///< id; empty to time what surrounds a launch, without a kernel
  std::string problem;     ///< canonical text
  std::string handle;      ///< device::SharedMemory
  std::int64_t bytes = 0;  ///< of all outputs
  std::string meeting;     ///< device::Meeting
};
/// What a batch repeats. `launches` is what is timed; the others show how much of that is not the kernel. In them a
/// stand-in replaces the launch: it writes as many bytes to the output, and does nothing else.
enum class BatchPart {
  launches,      ///< inputs, made from the output of the launch before, and the launch
  one_stand_in,  ///< the same with a stand-in
  two_stand_ins  ///< the same with two in a row: the difference is the time of a stand-in in its place
};
/// Record a batch.
struct RecordRequest {
  int launches = 0;
  BatchPart part = BatchPart::launches;
  bool cold = false;  ///< empty the cache after the inputs are made
};
/// Run the batch. It first waits at the meeting place for the secret that it begins with.
struct GoRequest {};
using SealedRequest = std::variant<SealedHello, OpenRequest, RecordRequest, GoRequest>;

/// Whether the last request was carried out.
struct SealedAnswer {
  std::string error;     ///< empty when it was
  bool refused = false;  ///< an error that is nobody's fault: the kernel does not take the problem
};

/// One line, without a newline.
std::string encode(SealedRequest const& request);
std::string encode(SealedAnswer const& answer);
/// Throw model::FormatError that names `origin`, or VersionError if the other side is of another release.
SealedRequest decode_sealed_request(std::string_view line, std::string_view origin);
SealedAnswer decode_sealed_answer(std::string_view line, std::string_view origin);

}  // namespace perfcheck::protocol
