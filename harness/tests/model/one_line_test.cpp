// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/one_line.h"

#include <gtest/gtest.h>

namespace perfcheck::model {
namespace {

TEST(OneLine, DropsControlsAndReplacesWhatIsNoUtf8) {
  EXPECT_EQ(one_line("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(one_line(std::string_view("a\0b\x1b[31m\x7f", 9)), "ab[31m");
  EXPECT_EQ(one_line("\xc2\x85|"), "|") << "a Latin-1 control character";
  EXPECT_EQ(one_line("\xe2\x80\xae|\xef\xbf\xbf"), "|") << "a direction override, and a character that XML forbids";
  EXPECT_EQ(one_line("\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80");
  std::string const replaced = "\xef\xbf\xbd";
  EXPECT_EQ(one_line("\xff|"), replaced + "|");
  EXPECT_EQ(one_line("\xe2\x82"), replaced + replaced) << "cut off";
  EXPECT_EQ(one_line("\xc0\xaf"), replaced + replaced) << "overlong";
  EXPECT_EQ(one_line("\xe0\x9f\xbf"), replaced + replaced + replaced) << "overlong";
  EXPECT_EQ(one_line("\xed\xa0\x80"), replaced + replaced + replaced) << "a surrogate";
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), replaced + replaced + replaced + replaced) << "above U+10FFFF";
}

}  // namespace
}  // namespace perfcheck::model
