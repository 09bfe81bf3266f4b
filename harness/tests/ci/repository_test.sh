#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/baselines_of.sh and ci/pack_gate.sh in a temporary repository: a change is judged by its target branch's policy and
# baselines, and no shell interprets names from git.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
work_repository

# A change that loosens the policy and moves the baseline for itself.
cheat() {
  git -C work switch --quiet --create change
  policy 100
  printf '{"stored": "change"}\n' > work/baselines/device/gemm.json
  printf '{}\n' > "work/baselines/device/a \`note\` <b>.json"
  git -C work add -A
  git -C work commit --quiet -m 'change'
}
baselines_of() { bash work/ci/baselines_of.sh "$@"; }

test_baselines_and_policy_are_the_target_branchs() {
  cheat
  expect 0 baselines_of main target
  same "$(head -n 1 target/perfcheck.toml)" 'margin = 1'
  same "$(< target/baselines/device/gemm.json)" '{"stored": "main"}'
  has target/note.md 'edits `perfcheck.toml`'
  has target/note.md 'edits 2 baseline file(s)'
  lacks target/note.md '<b>'
}
test_without_a_difference_there_is_no_note() {
  expect 0 baselines_of main target
  absent target/note.md
}
test_what_is_not_committed_is_a_difference() {
  policy 7
  expect 0 baselines_of HEAD target
  has target/note.md 'perfcheck.toml'
}
test_a_removed_baseline_comes_back() {
  git -C work switch --quiet --create change
  git -C work rm --quiet -r baselines
  git -C work commit --quiet -m 'without'
  expect 0 baselines_of main target
  there target/baselines/device/gemm.json
}
test_attributes_of_the_tree_hide_nothing() {
  printf 'baselines/** export-ignore\nperfcheck.toml export-subst\n' > work/.gitattributes
  git -C work add -A
  git -C work commit --quiet -m 'attributes'
  expect 0 baselines_of main target
  there target/baselines/device/gemm.json
}
test_a_target_without_a_policy_is_said() {
  git -C work switch --quiet --orphan empty
  git -C work commit --quiet --allow-empty -m 'empty'
  git -C work switch --quiet main
  expect 0 baselines_of empty target
  same "$(head -n 1 target/perfcheck.toml)" 'margin = 1'
  has target/note.md 'has no `perfcheck.toml`'
}
test_a_hostile_name_of_a_branch_reaches_no_shell() {
  local name
  for name in '$(touch${IFS}pwned1)' '`touch${IFS}pwned2`' "';touch\${IFS}pwned3;'"; do
    git -C work branch "$name"
    expect 0 baselines_of "$name" target
  done
  for name in '--output=pwned' '-h' 'no;such' 'main:ci'; do
    expect 2 baselines_of -- "$name" target
  done
  not_pwned
}

# ---- packing; a stand-in for the build makes the programs

packable() {
  cat > work/ci/build.sh <<'SCRIPT'
#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
[[ ! -e does-not-build ]] || exit 1
mkdir -p "build/$preset/bin"
for program in "${arguments[@]}"; do
  printf '#!/bin/sh\necho %s of %s\n' "$program" "$(git rev-parse HEAD)" > "build/$preset/bin/$program"
  chmod +x "build/$preset/bin/$program"
done
SCRIPT
  git -C work add -A
  git -C work commit --quiet -m 'first'
}
pack() { bash work/ci/pack_gate.sh "$@"; }
git_of() { git -C "$1" rev-parse HEAD; }

test_a_pack_holds_what_a_bare_machine_needs() {
  packable
  git -C work remote add origin 'https://user:wo-rd-4711@github.example/octo/kernels.git'
  expect 0 pack pack
  local file
  for file in perfcheck perfcheck-gemm perfcheck-gemm-cpu perfcheck.toml baselines/device/gemm.json ci/gate.sh ci/merge.sh \
    ci/record.sh ci/nightly.sh ci/creep.sh ci/common.sh ci/gate_steps.sh ci/slurm/shard.sh ci/kubernetes/shard.sh; do
    there "pack/$file"
  done
  absent pack/target
  absent pack/base
  absent pack/perfcheck_energy
  # Artifacts omit files whose names begin with a dot.
  same "$(find pack -name '.*')" ''
  ! grep -rq wo-rd-4711 pack || fail 'a password was packed'
}
test_a_pack_for_the_night_measures_joules_unless_cuda_is_left_out() {
  packable
  expect 0 pack --energy pack
  there pack/perfcheck_energy
  PERFCHECK_CUDA=OFF expect 0 pack --energy pack
  absent pack/perfcheck_energy
}
test_a_pack_that_was_an_artifact_still_names_its_commit() {
  packable
  expect 0 pack pack
  find pack -type d -empty -delete
  mv work away
  fake_programs
  expect 0 bash pack/ci/gate.sh --programs pack --out out
  same "$(git_of pack)" "$(git_of away)"
}
test_without_configured_workers_nothing_is_packed() {
  packable
  printf 'margin = 1\n' > work/perfcheck.toml
  expect 2 pack pack
  said 'perfcheck.toml: workers.'
  said 'names no program; add it to [workers]'
  absent pack/perfcheck
}
test_a_tag_with_the_name_of_the_base_is_not_the_base() {
  packable
  cheat
  git -C work tag origin/main change
  git -C work update-ref refs/remotes/origin/main main
  for base in origin/main refs/remotes/origin/main; do
    expect 0 pack --base "$base" pack
    same "$(head -n 1 pack/target/perfcheck.toml)" 'margin = 1'
  done
  git -C work tag main change
  expect 0 pack --base main pack
  same "$(head -n 1 pack/target/perfcheck.toml)" 'margin = 1'
}
test_nothing_but_baselines_is_judged_by_them() {
  packable
  git -C work switch --quiet --create change
  printf '{"stored": "change"}\n' > work/baselines/device/gemm.json
  git -C work commit --quiet -am 'change'
  expect 0 pack --base main pack
  absent pack/target/baselines
  has pack/target/note.md 'baselines and nothing else'
  same "$(< pack/baselines/device/gemm.json)" '{"stored": "change"}'
  same "$(head -n 1 pack/target/perfcheck.toml)" 'margin = 1'
  # After a change outside the folder, the baselines are main's again.
  mkdir work/baselines-2
  printf 'x' > work/baselines-2/x
  git -C work add -A
  git -C work commit --quiet -m 'more'
  expect 0 pack --base main pack
  same "$(< pack/target/baselines/device/gemm.json)" '{"stored": "main"}'
}
test_a_merge_queue_accepts_what_was_accepted_in_every_head() {
  packable
  cheat
  git -C work switch --quiet --create queue main
  git -C work merge --quiet --no-ff -m 'queued' change
  local one
  one=$(git -C work rev-parse change)
  export GITHUB_EVENT_NAME=merge_group
  PERFCHECK_ACCEPTED_HEADS=$(git_of work) expect 0 pack --base main pack
  there pack/target/perfcheck.toml
  PERFCHECK_ACCEPTED_HEADS=$one expect 0 pack --base main pack
  absent pack/target/perfcheck.toml
  # One more commit after the accepted one, such as a squashed change that nobody accepted.
  git -C work commit --quiet --allow-empty -m 'squashed'
  PERFCHECK_ACCEPTED_HEADS=$one expect 0 pack --base main pack
  there pack/target/perfcheck.toml
}
test_the_packed_commit_is_named_and_clean_where_there_is_no_checkout() {
  packable
  git -C work commit --quiet --allow-empty -m $'subject `touch pwned`\n\nbody'
  expect 0 pack pack
  mv work away
  fake_programs
  expect 0 bash pack/ci/gate.sh --programs pack --out out
  same "$(git_of pack)" "$(git_of away)"
  same "$(git -C pack log -1 --format=%s)" 'subject `touch pwned`'
  same "$(git -C pack status --porcelain -- .)" ''
  same "$(git -C pack rev-list --count HEAD)" 1
}
test_base_and_policy_are_those_of_the_merge_base() {
  packable
  cheat
  git -C work switch --quiet main
  policy 2
  git -C work commit --quiet -am 'main went on'
  git -C work switch --quiet change
  expect 0 pack --base main pack
  same "$(pack/base/perfcheck-gemm)" "perfcheck-gemm of $(git -C work merge-base main change)"
  same "$(pack/perfcheck-gemm)" "perfcheck-gemm of $(git_of work)"
  same "$(head -n 1 pack/target/perfcheck.toml)" 'margin = 1'
  same "$(head -n 1 pack/perfcheck.toml)" 'margin = 100'
  there pack/target/note.md
  same "$(git -C work worktree list | wc -l)" 1
}
test_only_a_commit_that_a_maintainer_named_is_judged_by_itself() {
  packable
  cheat
  export PERFCHECK_ACCEPTED_HEADS="junk $(git_of work)" PERFCHECK_HEAD
  PERFCHECK_HEAD=$(git -C work rev-parse main)
  expect 0 pack --base main pack
  there pack/target/perfcheck.toml
  PERFCHECK_HEAD=$(git_of work)
  expect 0 pack --base main pack
  absent pack/target/perfcheck.toml
  absent pack/target/baselines
  has pack/target/note.md 'a maintainer accepted them'
  # An empty value accepts nothing.
  PERFCHECK_ACCEPTED_HEADS='' expect 0 pack --base main pack
  there pack/target/perfcheck.toml
}
test_nothing_of_an_earlier_pack_stays() {
  packable
  cheat
  expect 0 pack --base main pack
  expect 0 pack --base '' pack
  absent pack/target
  absent pack/base
}
test_a_base_that_does_not_build_is_said() {
  packable
  touch work/does-not-build
  git -C work add -A
  git -C work commit --quiet -m 'broken'
  git -C work switch --quiet --create change
  git -C work rm --quiet does-not-build
  git -C work commit --quiet -m 'mended'
  expect 0 pack --base main pack
  absent pack/base
  has pack/target/note.md 'does not build'
}
test_a_commit_that_does_not_build_is_no_pack() {
  packable
  touch work/does-not-build
  expect 2 pack pack
}
test_hostile_names_are_no_commits_and_no_options() {
  packable
  expect 2 pack --base 'x;touch pwned' pack
  expect 2 pack --base '$(touch pwned)' pack
  expect 2 pack --base '--upload-pack=touch pwned' pack
  expect 64 pack --exec='touch pwned' pack
  git -C work branch '$(touch${IFS}pwned)'
  expect 0 pack --base '$(touch${IFS}pwned)' pack
  not_pwned
}
test_a_folder_that_is_no_pack_is_not_removed() {
  packable
  mkdir -p precious
  printf 'x' > precious/file
  expect 2 pack precious
  there precious/file
}
run_wanted
