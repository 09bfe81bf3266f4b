// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Facts about the host that both backends report.
#pragma once

#include <cstdint>
#include <string>

namespace perfcheck::device {

std::string host_name();
/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
std::string os_name();
/// "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"; "unknown CPU" when the system does not say.
std::string cpu_name();
/// Bytes of the largest cache of the first processor; 0 when the system does not say.
std::int64_t last_level_cache_bytes();

/// "pid 8123 (python, user ada)"; what the system does not say is left out, as for processes of another container.
std::string process_text(unsigned pid);

}  // namespace perfcheck::device
