// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What `--help` says below the options, examples and exit codes, and of what several commands share.
#pragma once

namespace perfcheck::cli {

inline constexpr char const* kExitCodes =
    "exit codes: 0 passed  1 regressed  2 wrong, impossible, crashed, missing or nothing to run\n"
    "            3 undecided or no baseline  64 usage  74 a file could not be read or written  130 interrupted";

inline constexpr char const* kMeasuredFilter =
    "only cases whose whole id or kernel matches had to be measured, as with the same option then; repeatable";

inline constexpr char const* kCheckExamples =
    "examples:\n"
    "  perfcheck check                                         the default suite against this device's baseline\n"
    "  perfcheck check --suite smoke --filter 'gemm/simt/*'    some kernels, a few seconds\n"
    "  perfcheck check --record-missing-baseline               on a device that has no baseline yet\n"
    "  perfcheck check --base-ref main                         confirm against main's build, side by side\n"
    "  perfcheck check --inject-slowdown gemm/simt/naive=3     would 3 % be found? must exit 1";

inline constexpr char const* kAuditHelp =
    "Each case is timed twice: by the worker, as `check` does, and sealed, by a judge that holds outputs and clock in "
    "a\n"
    "process of its own, which the kernel's code cannot reach (docs/sealed.md). The report says what was compared and\n"
    "verified, both times, what a launch could hide at most, how far the kernel was confined, and whether the judge's\n"
    "time supports the worker's. Sealed timing needs a worker with a GPU.\n\n"
    "examples:\n"
    "  perfcheck audit --suite smoke\n"
    "  perfcheck audit --worker build/ci/bin/perfcheck-gemm --filter gemm/simt/naive --batches 50\n"
    "  perfcheck audit --json > audit.json                     docs/schemas/audit.schema.json describes it\n\n"
    "exit codes: 0 the judge supports every time  2 an objection, or a case without a time  3 the machine was not fit\n"
    "            64 usage  130 interrupted";

inline constexpr char const* kAbExamples =
    "examples:\n"
    "  perfcheck ab --base old/perfcheck-gemm --head new/perfcheck-gemm\n"
    "  perfcheck ab --base-ref main --filter 'gemm/simt/*'    builds main in a worktree of its own, once";

inline constexpr char const* kMergeExamples =
    "examples:\n"
    "  perfcheck check --shard 1/2 --out shards/1.run.json     on one machine\n"
    "  perfcheck check --shard 2/2 --out shards/2.run.json     on another with the same GPU\n"
    "  perfcheck merge shards --result junit=junit.xml         one decision; a missing shard fails";

inline constexpr char const* kCalibrateExamples =
    "examples:\n"
    "  perfcheck calibrate --data cal               8 sessions to compare with, 3 blocks, then the report\n"
    "  perfcheck calibrate --data cal --blocks 10   ten blocks more\n"
    "  perfcheck calibrate --data cal --blocks 0    the report again, as after a change of the policy\n"
    "  perfcheck calibrate --data cal --blocks 0 --held-out    recordings of several cards, each as an unknown card\n"
    "  perfcheck calibrate --data cal --simulate    1000 checks of unchanged code with the noise of the recordings";

inline constexpr char const* kTuneExamples =
    "A worker for tuning has every point of a kernel's space as a kernel of its own, KERNEL:POINT (docs/tuning.md).\n\n"
    "examples:\n"
    "  perfcheck tune --worker build/portable/bin/perfcheck-gemm-tuning --time-budget 600\n"
    "  perfcheck tune --worker ... --filter 'gemm/simt/persistent:*'    the points of one kernel\n\n"
    "exit codes: 0 complete  2 a point is wrong, crashed, or nothing competes  3 the budget was used up; go on later";

inline constexpr char const* kAcceptHelp =
    "Refused are runs of another device, broken cases, slowdowns put in on purpose, and what is odd about the "
    "numbers:\n"
    "sessions that are off in a case or as a whole, that hold another one's numbers, or that mix machine code. Each\n"
    "finding has a name; --despite takes one, or a pattern, with the reason why it is no obstacle.\n\n"
    "examples:\n"
    "  perfcheck baseline accept new.run.json --replace --why 'larger tiles, 12 % faster'\n"
    "  perfcheck baseline accept new.run.json --why 'another card' --despite 'outlier:*/s3:*' 'two levels, as of old'";

inline constexpr char const* kUpgradeHelp =
    "A file has a digest of its contents, which tells edits by accident. After an edit that was meant, or a merge by\n"
    "hand, this makes a new one. No number changes. It says what is odd about the sessions, and refuses nothing.\n\n"
    "examples:\n"
    "  perfcheck baseline upgrade                                  every baseline of this project\n"
    "  perfcheck baseline upgrade baselines/nvidia-h200/gemm.json";

inline constexpr char const* kHistoryExamples =
    "examples:\n"
    "  perfcheck check --history perf.sqlite                     measure, decide, keep\n"
    "  perfcheck history add --history perf.sqlite *.run.json    keep runs that were measured elsewhere\n"
    "  perfcheck history show --history postgresql://ci@db/perf\n"
    "  perfcheck history show --history perf.sqlite --filter 'gemm/mma/tf32_pipeline@*4096*'    a case over its runs\n"
    "  perfcheck history creep --history perf.sqlite             steps below the margin that add up\n"
    "  perfcheck history export --history perf.sqlite --format csv --out perf.csv";

inline constexpr char const* kCreepHelp =
    "Each case is compared with its level at the last release (the newest tag v*, or as [creep] says), at the last\n"
    "accepted baseline that moved it, or else in its first runs (docs/change-points.md, Creep). Named are the commits "
    "that\n"
    "may have contributed, those that moved the level most first.\n\n"
    "exit codes: 0 no case crept beyond its margin  1 one did  3 it cannot be told: too few runs, or the machine moved";

inline constexpr char const* kReportExamples =
    "examples:\n"
    "  perfcheck report --history perf.sqlite --out report.html    one file, opened from disk\n"
    "  perfcheck report --history perf.sqlite --site public        for Pages and large histories\n"
    "  perfcheck report --history perf.sqlite --svg docs/img       pictures for a README";

}  // namespace perfcheck::cli
