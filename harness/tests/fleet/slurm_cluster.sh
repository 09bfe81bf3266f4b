#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# A real one-node Slurm on this machine, for tests: slurmctld, slurmd and munged in a folder of their own.
#
# Usage: slurm_cluster.sh start DIR      starts it and prints the SLURM_CONF of the cluster
#        slurm_cluster.sh stop DIR
#
# Needs root, because slurmd needs it to start jobs. Prints the reason and ends with 77 where no cluster can run.
set -euo pipefail

skip() {
  printf 'no Slurm here: %s\n' "$*" >&2
  exit 77
}

for program in slurmctld slurmd munged sbatch scontrol; do
  PATH=$PATH:/usr/sbin:/sbin
  command -v "$program" > /dev/null || skip "$program is not installed (Debian: slurmctld slurmd slurm-client munge)"
done
((EUID == 0)) || skip "slurmd starts jobs as root only"

stop() {
  local one pid
  for one in slurmctld slurmd munged; do
    if [[ -f $1/$one.pid ]]; then
      pid=$(< "$1/$one.pid")
      kill "$pid" 2> /dev/null || true
      for _ in {1..100}; do kill -0 "$pid" 2> /dev/null || break; sleep 0.1; done
      kill -KILL "$pid" 2> /dev/null || true
    fi
  done
}

# Prints a port that is currently free.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
  local dir=$1 host
  host=$(hostname -s)
  mkdir -p "$dir"/{state,spool}
  # munged refuses folders that others could write in.
  chmod 755 "$dir"
  head -c 1024 /dev/urandom > "$dir/munge.key"
  chmod 400 "$dir/munge.key"
  munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
  # Four concurrent tasks, however few processors there are. No cgroups: they are not available in a container.
  cat > "$dir/slurm.conf" << CONF
ClusterName=perfcheck
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=600
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=gpu Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$dir/slurm.conf
  slurmctld -f "$SLURM_CONF"
  slurmd -f "$SLURM_CONF" -N "$host"
  for _ in {1..150}; do
    if [[ $(scontrol show node "$host" 2> /dev/null) == *State=IDLE* ]]; then
      printf '%s\n' "$SLURM_CONF"
      return
    fi
    sleep 0.2
  done
  tail -n 20 "$dir"/*.log >&2
  stop "$dir"
  printf 'the node did not come up\n' >&2
  exit 1
}

case ${1:-} in
  start) start "$2" ;;
  stop) stop "$2" ;;
  *) printf 'usage: %s start|stop DIR\n' "$0" >&2; exit 64 ;;
esac
