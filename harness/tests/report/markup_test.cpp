// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "text/markup.h"

#include "decode.h"
#include "perfcheck/model/one_line.h"
#include "report_samples.h"

#include <gtest/gtest.h>

namespace perfcheck::report {
namespace {

TEST(Printable, DropsControlsAndReplacesWhatIsNoUtf8) {
  EXPECT_EQ(model::one_line("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(model::one_line(std::string_view("a\0b\x1b[31m\x7f", 9)), "ab[31m");
  EXPECT_EQ(model::one_line("\xc2\x85|"), "|") << "a control of Latin-1";
  EXPECT_EQ(model::one_line("\xe2\x80\xae|\xef\xbf\xbf"), "|") << "override of the direction; no character of XML";
  EXPECT_EQ(model::one_line("\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80"), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80");
  std::string const replaced = "\xef\xbf\xbd";
  EXPECT_EQ(model::one_line("\xff|"), replaced + "|");
  EXPECT_EQ(model::one_line("\xe2\x82"), replaced + replaced) << "cut off";
  EXPECT_EQ(model::one_line("\xc0\xaf"), replaced + replaced) << "overlong";
  EXPECT_EQ(model::one_line("\xe0\x9f\xbf"), replaced + replaced + replaced) << "overlong";
  EXPECT_EQ(model::one_line("\xed\xa0\x80"), replaced + replaced + replaced) << "a surrogate";
  EXPECT_EQ(model::one_line("\xf4\x90\x80\x80"), replaced + replaced + replaced + replaced) << "above U+10FFFF";
}

TEST(Escaped, IsTextInXml) {
  EXPECT_EQ(markup_escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  for (std::string const& text : samples::hostile_texts()) {
    std::vector<std::string> const texts =
        decode::xml_texts("<a b=\"" + markup_escaped(text) + "\">" + markup_escaped(text) + "</a>");
    EXPECT_EQ(texts.at(1), model::one_line(text));
    EXPECT_EQ(texts.at(2), model::one_line(text));
  }
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab\xe2\x80\xa6");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(character_count("\xc3\xa9z\xf0\x9f\x9a\x80"), 3u);
}

}  // namespace
}  // namespace perfcheck::report
