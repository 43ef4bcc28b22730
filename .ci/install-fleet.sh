#!/usr/bin/env bash
# Installs the parts of a fleet that test/fleet runs, where this machine lets us: root on Debian or Ubuntu. Where not, the suite skips
# and prints what is missing. The services of the packages are not started.
set -uo pipefail
has() { command -v "$1" >/dev/null; }
has haproxy && has dockerd && has patroni && has etcd && has ip && has setpriv && has tcpdump && ls /usr/lib/postgresql/*/bin/postgres /usr/lib/*/faketime/libfaketime.so.1 \
  >/dev/null 2>&1 && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'the parts of a fleet are not installed: not root, or no apt-get'; exit 0; }

# Debian's package would start a server of its own.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 600 apt-get install -y -qq --no-install-recommends \
  iproute2 util-linux tcpdump haproxy docker.io postgresql postgresql-client patroni python3-etcd python3-psycopg2 etcd-server etcd-client libfaketime \
  >/dev/null || echo 'the parts of a fleet could not be installed'
exit 0
