// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from outside inside the formats of CI systems. For XML and HTML: markup_escaped() of text/markup.h. Each of
// these makes text model::one_line() first, so that it is one line of valid UTF-8 without control characters.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// Text in a line of GitHub's Markdown that is no markup, link, mention, reference, emoji or formula there, in a cell
/// of a table too. What GitHub looks for after it has read the Markdown ("@user", "#1", "a@b.c", "https://", ":tada:")
/// is broken by a character of no width; other markup becomes a character reference. At most `limit` characters.
std::string markdown_text(std::string_view text, std::size_t limit = 1000);

/// The same as inline code, where GitHub looks for nothing: text that can be copied. A bar behind a backslash, which no
/// parser of tables reads as the next one does, becomes a broken bar. Empty text gives nothing.
std::string markdown_code(std::string_view text, std::size_t limit = 300);

/// Lines as a block of code; each line is one line.
std::string markdown_code_block(std::string_view language, std::string_view lines);

/// An address as the target of a Markdown link: http and https only, empty for all others.
std::string link_target(std::string_view address);

/// Message and property of a GitHub workflow command.
std::string command_data(std::string_view text);
std::string command_property(std::string_view text);

/// A cell of RFC 4180 that no spreadsheet takes for a formula, and no line of which is a workflow command.
std::string csv_cell(std::string_view text);

/// The value of an OpenMetrics label, without its quotes.
std::string openmetrics_label(std::string_view text);

}  // namespace perfcheck::report::ci
