// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/guarded_buffer.h"

#include "element_name.h"

#include <gmock/gmock.h>

namespace perfcheck::verify {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GuardedBufferTest : public testing::TestWithParam<Element> {
 protected:
  /// A matrix of 3 rows of 5 elements, with a row stride of 8.
  MatrixView place(std::int64_t row_stride = 8, std::int64_t column_stride = 1) {
    return buffer_.place(
        *backend_, *engine_,
        {.element = GetParam(), .rows = 3, .columns = 5, .row_stride = row_stride, .column_stride = column_stride});
  }
  void write(std::int64_t index) { store_bits(GetParam(), buffer_.matrix().data, index, 0); }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  std::unique_ptr<Engine> engine_ = make_host_engine();
  GuardedBuffer buffer_{"D"};
};

TEST_P(GuardedBufferTest, IsIntactAfterAKernelThatWroteEveryElementAndNothingElse) {
  auto const matrix = place();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data) % 256, 0U);
  EXPECT_EQ(engine_->find_other(matrix, poison_bits(GetParam())).count, 0U) << "elements must start as poison";
  engine_->fill(matrix, {.pattern = Pattern::uniform});
  EXPECT_EQ(buffer_.damage_around(*engine_), "");
  EXPECT_EQ(buffer_.damage_between_rows(*engine_), "");
}

TEST_P(GuardedBufferTest, AWritePastTheEndIsCounted) {
  place();
  write(2 * 8 + 5);
  EXPECT_THAT(buffer_.damage_around(*engine_), AllOf(HasSubstr("1 element past the end of D"),
                                                     HasSubstr("the nearest 1 past"), HasSubstr("row 2, column 4")));
  write(2 * 8 + 5 + 9);
  EXPECT_THAT(buffer_.damage_around(*engine_), HasSubstr("2 elements past the end of D"));
}

TEST_P(GuardedBufferTest, TheLastElementOfEachGuardBandIsWatched) {
  auto const guard = static_cast<std::int64_t>(GuardedBuffer::kGuardBytes) * 8 / bits_of(GetParam());
  place();
  write(2 * 8 + 5 + guard - 1);
  EXPECT_THAT(buffer_.damage_around(*engine_), HasSubstr("past the end of D"));
  place();
  write(-guard);
  EXPECT_THAT(buffer_.damage_around(*engine_), HasSubstr("1 element before D overwritten"));
}

TEST_P(GuardedBufferTest, AWriteBeforeTheStartSaysHowFar) {
  place();
  write(-3);
  EXPECT_THAT(buffer_.damage_around(*engine_), HasSubstr("the nearest 3 before its first element"));
}

TEST_P(GuardedBufferTest, AWriteIntoRowPaddingSaysWhichRow) {
  place();
  write(1 * 8 + 6);
  EXPECT_EQ(buffer_.damage_around(*engine_), "");
  EXPECT_THAT(buffer_.damage_between_rows(*engine_),
              AllOf(HasSubstr("1 element of D's padding"), HasSubstr("in row 1, 2 past its end")));
}

TEST_P(GuardedBufferTest, PaddingOfAMatrixStoredByColumnsIsFoundByColumn) {
  place(1, 4);
  write(2 * 4 + 3);
  EXPECT_THAT(buffer_.damage_between_rows(*engine_), HasSubstr("in column 2, 1 past its end"));
}

TEST_P(GuardedBufferTest, ASmallerMatrixReusesTheMemoryAndIsGuardedClosely) {
  auto const* const first = place().data;
  auto const smaller =
      buffer_.place(*backend_, *engine_, {.element = GetParam(), .rows = 1, .columns = 2, .row_stride = 2});
  EXPECT_EQ(smaller.data, first);
  write(2);
  EXPECT_THAT(buffer_.damage_around(*engine_), HasSubstr("past the end of D"));
}

TEST_P(GuardedBufferTest, WithoutElementsThereIsNoMatrixButTheGuardBandsStand) {
  auto const empty = buffer_.place(*backend_, *engine_, {.element = GetParam()});
  EXPECT_EQ(empty.data, nullptr);
  EXPECT_EQ(buffer_.damage_around(*engine_), "");
}

INSTANTIATE_TEST_SUITE_P(Elements, GuardedBufferTest,
                         testing::Values(Element::f64, Element::f32, Element::f16, Element::bf16, Element::e4m3,
                                         Element::s8),
                         [](auto const& test) { return name_of(test.param); });

}  // namespace
}  // namespace perfcheck::verify
