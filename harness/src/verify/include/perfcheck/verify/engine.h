// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything verification does to data where the data lies: plain loops on the host, kernels on a CUDA device. Both
// call the same functions per element (element.h, fill.h, judge.h), so they agree bit by bit.
#pragma once

#include "perfcheck/device/backend.h"
#include "perfcheck/verify/epilogue.h"
#include "perfcheck/verify/fill.h"
#include "perfcheck/verify/judge.h"
#include "perfcheck/verify/secret_data.h"

#include <functional>
#include <memory>
#include <span>

namespace perfcheck::verify {

/// What a result must be.
struct Expectation {
  double const* product = nullptr;  ///< rows x columns, rows contiguous; device memory
  float const* scale = nullptr;     ///< likewise, sum of absolute products; null where sums are exact
  Epilogue epilogue{};
  Bound bound{};
  /// One row and one column (or some rows of the column) whose products differ from `product`; -1 for none. Where both
  /// meet, the row's product counts.
  std::int64_t other_row = -1, other_column = -1;
  std::int64_t other_column_first = 0, other_column_rows = 0;
  double const* other_row_product = nullptr;     ///< `columns` values
  double const* other_column_product = nullptr;  ///< `other_column_rows` values
};

/// Positions of elements that a search found.
struct Found {
  std::uint64_t count = 0;
  /// Smallest box around them; meaningless when count is 0.
  std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
};

struct Comparison {
  Found wrong;
  double worst = 0;  ///< largest error over its bound; infinite when an element is NaN that must not be
};

PERFCHECK_HOST_DEVICE inline ExpectedElement expected_at(Expectation const& e, std::int64_t columns, std::int64_t row,
                                                         std::int64_t column) {
  std::int64_t const at = row * columns + column;
  std::int64_t const in_other_column = row - e.other_column_first;
  double product = e.product[at];
  if (column == e.other_column && in_other_column >= 0 && in_other_column < e.other_column_rows) {
    product = e.other_column_product[in_other_column];
  }
  if (row == e.other_row) product = e.other_row_product[column];
  double const scale = e.scale != nullptr ? static_cast<double>(e.scale[at]) : detail::magnitude(product);
  Epilogue const& last = e.epilogue;
  return finished(last, product, scale, last.beta != 0 ? detail::element_at(last.addend, row, column) : 0,
                  last.bias.data != nullptr ? detail::element_at(last.bias, 0, column) : 0,
                  last.residual.data != nullptr ? detail::element_at(last.residual, row, column) : 0);
}

/// One word's share of a fingerprint; the fingerprint is the sum over all words, in any order.
PERFCHECK_HOST_DEVICE inline std::uint64_t fingerprint_word(std::uint64_t index, std::uint64_t word) {
  return mix(0x5851f42d4c957f2dU, index, word);
}

/// One word's share of the next secret, which data and the secret before it determine: the sum over all words, in any
/// order. Nobody can know it before all of the data is there.
PERFCHECK_HOST_DEVICE inline std::uint64_t chained_word(std::uint64_t secret, std::uint64_t index, std::uint64_t word) {
  return mix(secret, index, word);
}

/// Enqueues on the backend's stream; functions that return something wait for it. Throws device::DeviceError.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual void fill(MatrixView const& matrix, Fill const& fill) = 0;
  /// Repeats a word; `data` is aligned to 4 and `bytes` a multiple of 4.
  virtual void fill_words(void* data, std::uint32_t word, std::size_t bytes) = 0;
  virtual void copy(void* to, void const* from, std::size_t bytes) = 0;
  /// A number that changes when a bit changes (except for one chance in 2^64). `data` is aligned to 8.
  virtual std::uint64_t fingerprint(void const* data, std::size_t bytes) = 0;
  /// Elements whose bits are not `bits`.
  virtual Found find_other(MatrixView const& matrix, Bits bits) = 0;
  /// Elements whose bits differ.
  virtual Found find_different(MatrixView const& x, MatrixView const& y) = 0;
  virtual Comparison compare(MatrixView const& result, Expectation const& expectation) = 0;

  /// Writes new inputs of some sets and poisons memory; nothing else can run on the device meanwhile (secret_data.h).
  /// At most eight kinds of inputs and three pieces of memory.
  virtual void renew(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret,
                     std::span<PoisonedMemory const> poisoned) = 0;
  /// The same for one set, right before a launch that is timed on its own: by code so small that the launch finds its
  /// own in the instruction cache. Other work may run on the device meanwhile.
  virtual void renew_step(std::span<SecretMatrices const> inputs, int set, std::uint64_t secret,
                          std::span<PoisonedMemory const> poisoned) {
    renew(inputs, {set, 1}, secret, poisoned);
  }
  /// As renew(), by a kernel that lets the next launch begin at once and writes only after a while. A launch that
  /// overlaps with the previous one has to wait for it before it touches anything; one that does not wait reads too
  /// early, and its result shows that.
  virtual void renew_late(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret,
                          std::span<PoisonedMemory const> poisoned) {
    renew(inputs, sets, secret, poisoned);
  }
  /// Number of elements that are not as renew() with these arguments leaves them.
  virtual std::uint64_t count_changed(std::span<SecretMatrices const> inputs, SetRange sets, std::uint64_t secret) = 0;
  /// Enqueues: copies what launches wrote; nothing else can run on the device meanwhile, and whatever writes from now
  /// on comes too late. Aligned to 16 bytes, and a multiple of them. The host copies the end first: of launches that
  /// returned before their work was done, most of the last ones is missing.
  virtual void seize(void* to, void const* from, std::size_t bytes) = 0;
  /// When the last seizure that was waited for had the device to itself, by the same timer as renewed_ns().
  virtual std::uint64_t seized_ns() { return 0; }
  /// Enqueues: writes the inputs of set 0 as renew() does, from a secret in device memory. Other work may run on the
  /// device meanwhile.
  virtual void renew_from(std::span<SecretMatrices const> inputs, std::uint64_t const* secret) = 0;
  /// Enqueues: adds to *next the sum of chained_word() over all of `data`, with the secret *secret. Both lie in device
  /// memory; `data` is aligned to 16 and `bytes` a multiple of 16.
  virtual void chain(void const* data, std::size_t bytes, std::uint64_t const* secret, std::uint64_t* next) = 0;
  /// When the last renewal had written everything, by the device's timer in nanoseconds; 0 where it has none.
  virtual std::uint64_t renewed_ns() { return 0; }
  /// False once a renewal or a seizure found something else on the device that did not end.
  virtual bool was_alone() { return true; }
};

std::unique_ptr<Engine> make_host_engine();
/// Keeps a reference to the backend, which must be a CUDA one. Defined in programs that link perfcheck_verify_cuda.
std::unique_ptr<Engine> make_cuda_engine(device::Backend& backend);

/// Makes the engine that fits the worker's backend, one of these two; perfcheck_add_worker() gives it to an operation.
using MakeEngine = std::function<std::unique_ptr<Engine>(device::Backend&)>;

}  // namespace perfcheck::verify
