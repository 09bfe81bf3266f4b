// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The accepted sessions of one operation on one device model: baselines/<device-slug>/<operation>.json.
#pragma once

#include "perfcheck/model/run.h"

namespace perfcheck::model {

/// One accepted session: where and with what it was measured.
struct BaselineSession {
  std::string id;  ///< "s01", unique in the file
  std::string started;
  std::string device_uuid;
  std::string driver, cuda_runtime;
  std::map<std::string, std::string> libraries;
  std::optional<double> power_limit_w;
  int timing = kFirstTiming;  ///< Environment::timing
  std::string commit;         ///< "-dirty" is appended when the working tree held changes
  std::string suite;          ///< Run::suite; empty in files of older versions
  std::string run_session;    ///< the session it came from, "20261121T081502Z-3f2a/s1"; none is accepted twice
};

/// How a case was run, beyond what its problem text says. Seeds are not included: every session draws its own.
struct InputPolicy {
  std::string arithmetic;   ///< of the case, empty when its worker names none
  Work work;                ///< FLOP and bytes, as the operation derived them from the problem text
  int replay_launches = 0;  ///< launches per replay; successive ones take successive sets of buffers
};

/// Session summaries of one case, as columns; entry i belongs to session[i]. Medians over the rounds of that session.
struct BaselineCase {
  std::string reference;
  std::string machine_code;  ///< machine_code_of() of its sessions; empty when unknown or not the same in all
  std::string launches;      ///< launch_hash_of() of its sessions; empty when unknown or not the same in all
  std::string work;          ///< work_of() of its sessions; likewise
  std::vector<std::string> session;
  std::vector<double> time_ns;
  std::vector<double> ratio;   ///< to the reference, median over the rounds; 1 for a case that is its own control
  std::vector<double> cycles;  ///< empty where the device has no clock to read
  /// Kernels of one launch of the case in its last session; empty where there are none to read.
  std::vector<LaunchAttributes> launched;
  std::optional<InputPolicy> input_policy;  ///< of its last session; absent in files of older versions
  std::vector<double> clock_mhz;            ///< median over the rounds; empty unless known for every session
  std::vector<double> power_w;              ///< as read after the rounds; empty unless known for every session
  std::vector<double> tail;                 ///< SessionSummary::tail; empty unless known for every session
};

/// An audit finding that a person overrode when accepting sessions (store/audit.h).
struct Despite {
  std::string finding;  ///< its name, for machines: "outlier:20261121T081502Z-3f2a/s3:gemm/simt/naive@f32,nn,m64n64k64"
  std::string text;     ///< the finding's message
  std::string why;
};

/// Who moved the baseline, when, from which commit and why.
struct Acceptance {
  std::string who, when, commit, why;
  std::vector<std::string> sessions;  ///< ids added
  int cases = 0;
  std::vector<Despite> despite;
};

struct Baseline {
  std::string operation;
  std::string device_slug, device_name;
  std::vector<Acceptance> accepted;  ///< oldest first
  std::vector<BaselineSession> sessions;
  std::map<std::string, BaselineCase> cases;  ///< by case id
  /// False for a file of an older version, which has no digest: nothing shows that its numbers are the ones that were
  /// accepted.
  bool has_digest = true;
};

}  // namespace perfcheck::model
