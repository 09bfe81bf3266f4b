// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history's SQLite file, any byte of it.
#include "support/history_file.h"
#include "history/history.h"
#include "support/property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::HistoryFile const file;
  file.write(fuzz::text_of(data, size));
  if (!fuzz::read_everything(file.path())) {
    // One of an older version is brought up to date first.
    (void)fuzz::accepted<history::HistoryError>([] { return history::History(file.path(), history::Mode::write); });
    (void)fuzz::read_everything(file.path());
  }
  return 0;
}
