// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON documents of a report page: schema perfcheck.report/1, docs/report-data.md. Bytes that are not UTF-8 become
// U+FFFD.
#pragma once

#include "perfcheck/report/page_data.h"

namespace perfcheck::report {

// Keys of chunks: "d0", "d0c7", "d0c7x", "d0r3".
std::string device_key(int device);
std::string series_key(int device, int case_index);
std::string detail_key(int device, int case_index);
std::string runs_key(int device, int block);

/// The entry of device number `device` in the manifest; its last run is the last of the axis.
ManifestDevice manifest_device(ReportDevice const& report, int device);
/// JSON text without a `<`, so that it can stand inside a page.
std::string manifest_json(ReportManifest const& manifest);

/// The chunk of device number `device` before compression. `facts`: one for each case. Throws std::invalid_argument for
/// a different number of them, an index outside of its list, or a calibration that is not JSON.
std::string device_json(ReportDevice const& report, std::vector<SeriesFacts> const& facts, int device);

/// The detail chunk of a case before compression; the sessions keep their order, which should be newest run first.
std::string detail_json(std::vector<DetailSession> const& sessions);

}  // namespace perfcheck::report
