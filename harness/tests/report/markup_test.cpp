// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "text/markup.h"

#include "decode.h"
#include "perfcheck/model/one_line.h"
#include "report_samples.h"

#include <gtest/gtest.h>

namespace perfcheck::report {
namespace {

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
