// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a judge and the process of a kernel say to each other in sealed timing: one JSON object a line on the standard
// input and output of the latter (docs/sealed.md).
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
  std::string kernel;      ///< id; empty for none: what a launch needs besides the kernel is to be timed
  std::string problem;     ///< canonical text
  std::string handle;      ///< device::SharedMemory
  std::int64_t bytes = 0;  ///< of all outputs
  std::string meeting;     ///< device::Meeting
};
/// What a batch holds, so many times. The first is what is timed; the others tell how much of it is not the kernel. In
/// them a stand-in takes the launch's place: it writes as many bytes to the output, and does nothing else.
enum class BatchPart {
  launches,      ///< inputs, made from what the launch before left, and the launch
  one_stand_in,  ///< the same with a stand-in
  two_stand_ins  ///< the same with two, one behind the other: that much longer takes a stand-in where it stands
};
/// Record a batch.
struct RecordRequest {
  int launches = 0;
  BatchPart part = BatchPart::launches;
  bool cold = false;  ///< empty the cache behind the making of inputs
};
/// Run the batch: it waits at the meeting place for the secret that it begins with.
struct GoRequest {};
using SealedRequest = std::variant<SealedHello, OpenRequest, RecordRequest, GoRequest>;

/// The last request was carried out, or not.
struct SealedAnswer {
  std::string error;     ///< empty when it was
  bool refused = false;  ///< an error that is nobody's fault: the kernel does not take the problem
};

/// One line without its end.
std::string encode(SealedRequest const& request);
std::string encode(SealedAnswer const& answer);
/// Throw model::FormatError that names `origin`, or VersionError when the other side is of another release.
SealedRequest decode_sealed_request(std::string_view line, std::string_view origin);
SealedAnswer decode_sealed_answer(std::string_view line, std::string_view origin);

}  // namespace perfcheck::protocol
