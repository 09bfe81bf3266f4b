#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds runs to the history, draws it as a site for Pages, and asks it what crept. Needs no GPU.
#
# Usage: ci/publish.sh --out DIR [--runs DIR] [--repo OWNER/NAME] [--branch NAME] [--history PLACE] [--programs DIR]
#                      [--title TEXT]
#
#   --out DIR         gets site/, creep/ (what ci/creep.sh said, for its --answer: what crept is published all the same) and,
#                     where the history is a file, history/perf.sqlite to keep
#   --runs DIR        every run.json below it is added, and every folder calibration (of ci/nightly.sh)
#   --history PLACE   the history (default: PERFCHECK_HISTORY): postgresql://..., or a SQLite file, which is copied.
#                     Without it the newest artifact perfcheck-history of --repo is fetched, one made by --branch alone
#   --branch NAME     default branch (main)
#   --programs DIR    folder that holds perfcheck; without it one is built
#
# Where --repo never had that artifact a new history begins. Where it has one that has expired or cannot be fetched,
# nothing is published: an empty history would take the place of a full one. PERFCHECK_NEW_HISTORY=yes begins anew all
# the same.
#
# One at a time: two that run at once fetch the same history, and the runs of one of them are lost (PostgreSQL has no
# such limit). Uses `gh api` (GH_TOKEN; permission actions: read) and python3.
# Exit code: 0 published, 2 not, 64 usage, 74 a run could not be read.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
root=$PWD
cd "$caller"

read_options "out runs repo branch history programs title" "$@"
required out
out=$(absolute "${given[out]}")
branch=${given[branch]:-main}
place=${given[history]:-${PERFCHECK_HISTORY:-}}
[[ -z ${given[repo]:-} || ${given[repo]} =~ ^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$ ]] || wrong_usage "--repo is not of the form OWNER/NAME"
[[ -n $place || -n ${given[repo]:-} ]] || wrong_usage "--history or --repo says where the history is"
mkdir -p "$out"
rm -rf "$out/site" "$out/history" "$out/creep"

# Prints the id of the newest artifact that the default branch of this very repository made, or else "expired" or
# "none".
newest_artifact() {
  python3 -c '
import json, sys
branch = sys.argv[1]
ours = []
for artifact in json.load(sys.stdin)["artifacts"]:
    run = artifact.get("workflow_run") or {}
    if artifact["name"] == "perfcheck-history" and run.get("head_branch") == branch and \
            run.get("repository_id") is not None and run.get("head_repository_id") == run.get("repository_id"):
        ours.append((int(artifact["id"]), bool(artifact["expired"])))
usable = [id for id, expired in ours if not expired]
print(max(usable) if usable else "expired" if ours else "none")' "$branch"
}

fetch_history() {
  local list id
  list=$(gh api "repos/${given[repo]}/actions/artifacts?name=perfcheck-history&per_page=100") ||
    die "could not list the artifacts of ${given[repo]}; has the token the permission actions: read?"
  id=$(newest_artifact <<< "$list") || die "GitHub's list of artifacts could not be read"
  if [[ $id == none || (${PERFCHECK_NEW_HISTORY:-} == yes && $id == expired) ]]; then
    say "no history yet: a new one begins"
    return
  fi
  [[ $id != expired ]] || die "the history's artifact has expired. Restore it (--history FILE), or begin anew with PERFCHECK_NEW_HISTORY=yes"
  gh api "repos/${given[repo]}/actions/artifacts/$id/zip" > "$out/history.zip" || die "could not fetch artifact $id of ${given[repo]}"
  python3 -c '
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, open(sys.argv[2], "wb") as file:
    file.write(archive.read("perf.sqlite"))' "$out/history.zip" "$history" || die "artifact $id holds no perf.sqlite"
  rm -f "$out/history.zip"
  say "history: artifact $id"
}

if [[ -n ${given[programs]:-} ]]; then
  open_programs "${given[programs]}"
else
  (cd "$root" && PERFCHECK_CUDA=OFF ci/build.sh -p portable perfcheck >&2)
  open_programs "$root/build/portable/bin"
fi

if [[ $place == postgresql://* || $place == postgres://* ]]; then
  history=$place
else
  mkdir -p "$out/history"
  history=$out/history/perf.sqlite
  if [[ -z $place ]]; then
    fetch_history
  elif [[ -f $place ]]; then
    cp "$place" "$history"
  fi
fi

# The folder of perfcheck.toml and of the repository, whose baselines decide about the runs.
if [[ -f $root/perfcheck.toml && ! -f perfcheck.toml ]]; then cd "$root"; fi
runs=() calibrations=()
if [[ -n ${given[runs]:-} ]]; then
  folder=$(absolute "${given[runs]}")
  # As after a build that failed: what was published before is published again.
  [[ -d $folder ]] || say "$folder is not there: nothing was measured"
  mapfile -t runs < <(find "$folder" -type f -name run.json 2> /dev/null | sort)
  mapfile -t calibrations < <(find "$folder" -type d -name calibration 2> /dev/null | sort)
fi
if ((${#runs[@]})); then
  "$perfcheck" history add --history "$history" "${runs[@]}" || { code=$?; say "the runs were not added; nothing is published"; exit "$code"; }
fi
for data in "${calibrations[@]}"; do
  "$perfcheck" calibrate --data "$data" --blocks 0 --history "$history" --quiet > /dev/null ||
    die "the calibration $data was not added; nothing is published"
done
[[ $history == postgres* || -s $history ]] || die "there is no run to publish, and no history"
"$perfcheck" report --history "$history" --site "$out/site" --title "${given[title]:-perfcheck}"
[[ -s $out/site/index.html ]] || die "perfcheck report wrote no $out/site/index.html"
say "added ${#runs[@]} runs and ${#calibrations[@]} calibrations; the site is $out/site"
# A caller that wants to fail because of creep asks ci/creep.sh for the answer.
"$BASH" "$root/ci/creep.sh" --programs "$programs" --out "$out/creep" --history "$history" || true
