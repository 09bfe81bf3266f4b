// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The device must agree exactly with the host: same data, same fingerprints, same judgements.
#include "perfcheck/verify/engine.h"

#include "element_name.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <vector>

namespace perfcheck::verify {
namespace {

class CudaEngine : public testing::TestWithParam<Element> {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "this machine has no usable GPU";
    backend_ = device::make_cuda_backend(0);
    cuda_ = make_cuda_engine(*backend_);
  }

  static std::size_t bytes(MatrixView const& matrix) {
    return static_cast<std::size_t>(bytes_of(matrix.element, matrix.index(matrix.rows - 1, matrix.columns - 1) + 1));
  }

  std::vector<std::uint64_t> read(device::Memory const& memory) {
    std::vector<std::uint64_t> host(memory.size() / 8);
    backend_->copy_to_host(host.data(), memory.data(), host.size() * 8);
    return host;
  }

  std::unique_ptr<device::Backend> backend_;
  std::unique_ptr<Engine> cuda_;
  std::unique_ptr<Engine> host_ = make_host_engine();
};

constexpr Pattern kPatterns[] = {
    Pattern::normal,         Pattern::uniform,       Pattern::integers, Pattern::one_hot_rows, Pattern::one_hot_columns,
    Pattern::row_values,     Pattern::column_values, Pattern::periodic, Pattern::mirrored,     Pattern::scaled_rows,
    Pattern::scaled_columns, Pattern::range,         Pattern::scales};

TEST_P(CudaEngine, FillsAndFingerprintsAreThoseOfTheHost) {
  for (Pattern pattern : kPatterns) {
    for (bool by_rows : {true, false}) {
      MatrixView matrix{.element = GetParam(), .rows = 301, .columns = 203};
      matrix.row_stride = by_rows ? 208 : 1;  // even: two elements of four bits share a byte
      matrix.column_stride = by_rows ? 1 : 306;
      Fill fill{.pattern = pattern, .seed = 17, .limit = 5, .share = 0.5, .period = 101};
      fill.fine = GetParam() == Element::f64;
      (by_rows ? fill.stacked_rows : fill.stacked_columns) = pattern == Pattern::normal ? 43 : 0;
      std::size_t const size = (bytes(matrix) + 7) / 8 * 8;
      auto const memory = backend_->allocate(size);
      std::vector<std::uint64_t> expected(size / 8);
      matrix.data = memory.data();
      cuda_->fill_words(matrix.data, poison_word(GetParam()), size);
      cuda_->fill(matrix, fill);
      auto const made = read(memory);
      auto const made_fingerprint = cuda_->fingerprint(matrix.data, bytes(matrix));
      matrix.data = expected.data();
      host_->fill_words(matrix.data, poison_word(GetParam()), size);
      host_->fill(matrix, fill);
      EXPECT_EQ(made, expected) << static_cast<int>(pattern) << by_rows;
      EXPECT_EQ(made_fingerprint, host_->fingerprint(matrix.data, bytes(matrix)));
    }
  }
}

TEST_P(CudaEngine, SearchesAndComparisonsAreThoseOfTheHost) {
  constexpr std::int64_t kRows = 150, kColumns = 130, kStride = 137;
  MatrixView matrix{.element = GetParam(), .rows = kRows, .columns = kColumns, .row_stride = kStride};
  std::size_t const size = (bytes(matrix) + 7) / 8 * 8;
  std::vector<std::uint64_t> result(size / 8), other(size / 8);
  std::vector<double> product(kRows * kColumns);
  std::vector<float> scale(kRows * kColumns, 1.5F);
  matrix.data = result.data();
  host_->fill(matrix, {.pattern = Pattern::normal, .seed = 4});
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t column = 0; column < kColumns; ++column) {
      auto const at = static_cast<std::size_t>(row * kColumns + column);
      product[at] = decode(GetParam(), load_bits(GetParam(), result.data(), matrix.index(row, column))) * 0.5;
      if ((row * 31 + column) % 57 == 3 && row > 20 && column < 90) product[at] += 0.01 * static_cast<double>(row);
    }
  }
  product[25 * kColumns + 4] = std::numeric_limits<double>::quiet_NaN();
  store_bits(GetParam(), result.data(), matrix.index(30, 7), poison_bits(GetParam()));
  other = result;
  store_bits(GetParam(), other.data(), matrix.index(77, 21), 5);

  auto const d_result = backend_->allocate(size);
  auto const d_other = backend_->allocate(size);
  auto const d_product = backend_->allocate(product.size() * sizeof(double));
  auto const d_scale = backend_->allocate(scale.size() * sizeof(float));
  backend_->copy_to_device(d_result.data(), result.data(), size);
  backend_->copy_to_device(d_other.data(), other.data(), size);
  backend_->copy_to_device(d_product.data(), product.data(), product.size() * sizeof(double));
  backend_->copy_to_device(d_scale.data(), scale.data(), scale.size() * sizeof(float));

  auto const on_device = [](MatrixView view, device::Memory const& memory) {
    view.data = memory.data();
    return view;
  };
  auto const same = [](Found const& x, Found const& y) {
    EXPECT_EQ(x.count, y.count);
    EXPECT_GT(y.count, 0U);
    EXPECT_EQ(x.first_row, y.first_row);
    EXPECT_EQ(x.last_row, y.last_row);
    EXPECT_EQ(x.first_column, y.first_column);
    EXPECT_EQ(x.last_column, y.last_column);
  };
  MatrixView other_matrix = matrix;
  other_matrix.data = other.data();
  same(cuda_->find_different(on_device(matrix, d_result), on_device(matrix, d_other)),
       host_->find_different(matrix, other_matrix));
  same(cuda_->find_other(on_device(matrix, d_result), 0), host_->find_other(matrix, 0));
  EXPECT_EQ(cuda_->find_different(on_device(matrix, d_result), on_device(matrix, d_result)).count, 0U);

  for (Bound const& bound : {Bound::equal(), Bound::relative_to_scale(0.1, 1e-30)}) {
    Expectation expected{.product = product.data(), .scale = scale.data(), .epilogue = {.alpha = 2, .beta = 0.25}};
    expected.epilogue.addend = other_matrix;
    expected.bound = bound;
    auto const on_host = host_->compare(matrix, expected);
    expected.product = static_cast<double const*>(d_product.data());
    expected.scale = static_cast<float const*>(d_scale.data());
    expected.epilogue.addend = on_device(matrix, d_other);
    auto const found = cuda_->compare(on_device(matrix, d_result), expected);
    same(found.wrong, on_host.wrong);
    EXPECT_EQ(found.worst, on_host.worst);
  }
}

TEST_P(CudaEngine, RenewalsAreThoseOfTheHost) {
  constexpr int kSets = 3;
  constexpr std::uint64_t kSecret = 0x123456789abcdefU;
  for (bool by_rows : {true, false}) {
    for (std::int64_t const length : {203, 512, 1030}) {
      MatrixView matrix{.element = GetParam(), .rows = by_rows ? 7 : length, .columns = by_rows ? length : 7};
      (by_rows ? matrix.row_stride : matrix.column_stride) = (length + 15) / 16 * 16;
      (by_rows ? matrix.column_stride : matrix.row_stride) = 1;
      std::size_t const set_bytes = (bytes(matrix) + 255) / 256 * 256;
      auto const memory = backend_->allocate(kSets * set_bytes);
      std::vector<std::uint64_t> expected(kSets * set_bytes / 8);
      SecretMatrices inputs{.first = matrix, .set_bytes = static_cast<std::int64_t>(set_bytes), .operand = 2};
      inputs.scales = length == 512 && !format_of(GetParam()).integer;
      PoisonedMemory poison{memory.data(), memory.size(), poison_word(GetParam())};
      inputs.first.data = memory.data();
      cuda_->renew({}, {}, 0, {&poison, 1});
      cuda_->renew({&inputs, 1}, {0, kSets}, kSecret, {});
      EXPECT_EQ(cuda_->count_changed({&inputs, 1}, {0, kSets}, kSecret), 0U);
      EXPECT_GT(cuda_->count_changed({&inputs, 1}, {0, kSets}, kSecret + 1), 0U);
      auto const made = read(memory);
      poison.data = inputs.first.data = expected.data();
      host_->renew({}, {}, 0, {&poison, 1});
      host_->renew({&inputs, 1}, {0, kSets}, kSecret, {});
      EXPECT_EQ(made, expected) << by_rows << length;
      EXPECT_TRUE(cuda_->was_alone());
    }
  }
}

TEST_P(CudaEngine, RenewsOneSetForAStepAsItRenewsAll) {
  constexpr std::uint64_t kSecret = 0x123456789abcdefU;
  for (bool by_rows : {true, false}) {
    for (bool const scales : {false, true}) {
      MatrixView matrix{.element = GetParam(), .rows = by_rows ? 3000 : 1030, .columns = by_rows ? 1030 : 3000};
      (by_rows ? matrix.row_stride : matrix.column_stride) = 1040;
      (by_rows ? matrix.column_stride : matrix.row_stride) = 1;
      std::size_t const set_bytes = (bytes(matrix) + 255) / 256 * 256;
      auto const by_step = backend_->allocate(3 * set_bytes), at_once = backend_->allocate(3 * set_bytes);
      SecretMatrices inputs{.first = matrix, .set_bytes = static_cast<std::int64_t>(set_bytes), .operand = 2};
      inputs.scales = scales && !format_of(GetParam()).integer;
      PoisonedMemory poison{by_step.data(), set_bytes, 0xabcdef01U};
      for (auto const* memory : {&by_step, &at_once}) cuda_->fill_words(memory->data(), 5, memory->size());
      inputs.first.data = by_step.data();
      cuda_->renew_step({&inputs, 1}, 1, kSecret, {&poison, 1});
      inputs.first.data = poison.data = at_once.data();
      cuda_->renew({&inputs, 1}, {1, 1}, kSecret, {&poison, 1});
      EXPECT_EQ(cuda_->fingerprint(by_step.data(), 3 * set_bytes), cuda_->fingerprint(at_once.data(), 3 * set_bytes))
          << by_rows << scales;
    }
  }
}

TEST_P(CudaEngine, ChainsOfSecretsAndInputsMadeFromThemAreThoseOfTheHost) {
  for (std::size_t const bytes : {std::size_t{16}, std::size_t{4096 + 48}, std::size_t{3} << 20U}) {
    std::vector<std::uint64_t> data(bytes / 8);
    for (std::size_t at = 0; at < data.size(); ++at) data[at] = mix(4, at, 2);
    std::uint64_t secrets[2] = {0xfedcba9876543210U, 0};
    auto const d_data = backend_->allocate(bytes), d_secrets = backend_->allocate(sizeof secrets);
    auto* const d_secret = static_cast<std::uint64_t*>(d_secrets.data());
    backend_->copy_to_device(d_data.data(), data.data(), bytes);
    backend_->copy_to_device(d_secret, secrets, sizeof secrets);
    cuda_->chain(d_data.data(), bytes, d_secret, d_secret + 1);
    host_->chain(data.data(), bytes, secrets, secrets + 1);
    EXPECT_EQ(read(d_secrets)[1], secrets[1]) << bytes;

    MatrixView const matrix{.element = GetParam(), .rows = 31, .columns = 64, .row_stride = 64, .column_stride = 1};
    SecretMatrices inputs{.first = matrix, .set_bytes = 0, .operand = 1};
    auto const memory = backend_->allocate(31 * 64 * 8);
    std::vector<std::uint64_t> expected(31 * 64);
    cuda_->fill_words(memory.data(), 0, memory.size());
    inputs.first.data = memory.data();
    cuda_->renew_from({&inputs, 1}, d_secret + 1);
    inputs.first.data = expected.data();
    host_->renew_from({&inputs, 1}, secrets + 1);
    EXPECT_EQ(read(memory), expected);
  }
}

TEST_P(CudaEngine, SeizesWhatIsThereAndNothingBehindIt) {
  constexpr std::size_t kWords = 100'000, kTaken = kWords - 4;
  auto const from = backend_->allocate(kWords * 4), to = backend_->allocate(kWords * 4);
  cuda_->fill_words(from.data(), 0x12345678U, from.size());
  cuda_->fill_words(to.data(), 7, to.size());
  cuda_->seize(to.data(), from.data(), kTaken * 4);
  cuda_->fill_words(from.data(), 9, from.size());
  std::vector<std::uint32_t> taken(kWords), expected(kWords, 0x12345678U);
  std::fill(expected.begin() + kTaken, expected.end(), 7);
  backend_->copy_to_host(taken.data(), to.data(), to.size());
  EXPECT_EQ(taken, expected);
  EXPECT_GT(cuda_->seized_ns(), 0U);
  EXPECT_TRUE(cuda_->was_alone());
}

INSTANTIATE_TEST_SUITE_P(Elements, CudaEngine, testing::ValuesIn(kElements),
                         [](auto const& test) { return name_of(test.param); });

}  // namespace
}  // namespace perfcheck::verify
