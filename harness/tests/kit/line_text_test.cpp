// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "kit_test.h"

namespace perfcheck {
namespace {

using testing::HasSubstr;

class LineText : public KitTest {
 protected:
  std::string refused(std::string const& text) {
    try {
      (void)softmax_->parse(text);
    } catch (std::invalid_argument const& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(LineText, IsTheSameWhenItIsReadAndWritten) {
  for (char const* text : {"f32,r1c1", "f16,r4096c1000", "f16,r16777216c4194304,hot"}) {
    EXPECT_EQ(softmax_->parse(text)->text(), text);
  }
}

TEST_F(LineText, ThatIsWrongIsRefusedWithThePartAndAnExample) {
  EXPECT_EQ(refused("r4c4"),
            "'r4c4' is no softmax problem: it begins with one of the formats f32, f16 and a comma, as in "
            "f32,r4096c4096 or f32,r4096c4096,hot");
  EXPECT_THAT(refused("f64,r4c4"), HasSubstr("one of the formats f32, f16"));
  for (char const* text : {"f32,r4", "f32,r4c", "f32,r4c0", "f32,r4c04", "f32,r4c-4", "f32,r4c4194305", "f32,r4d4",
                           "f32,r4c99999999999999999999"}) {
    EXPECT_THAT(refused(text), HasSubstr("it needs c with the number of columns, 1 to 4194304, as in ")) << text;
  }
  for (char const* text : {"", "f32", "f32,", "f32,c4r4", "f32,r0c4", "f32,r+4c4"}) {
    EXPECT_THAT(refused(text), HasSubstr("is no softmax problem")) << text;
  }
  for (char const* text : {"f32,r4c4,cold", "f32,r4c4,hot,hot", "f32,r4c4 ", "f32,r4c4x"}) {
    EXPECT_THAT(refused(text), HasSubstr("only ',hot' may follow the sizes")) << text;
  }
}

TEST_F(LineText, IsToldInAxesAndWork) {
  auto const problem = softmax_->parse("f16,r8c100,hot");
  EXPECT_EQ(problem->axes(),
            (std::vector<model::Axis>{{"types", "f16"}, {"rows", 8}, {"columns", 100}, {"cache", "hot"}}));
  EXPECT_EQ(problem->arithmetic(), "f32") << "this operation uses no tensor cores";
  EXPECT_EQ(problem->work().flop, 5.0 * 8 * 100);
  EXPECT_EQ(problem->work().bytes, 2.0 * 2 * 8 * 100) << "x and y, two bytes per element";
}

}  // namespace
}  // namespace perfcheck
