#!/usr/bin/env bash
# Installs Prometheus and promtool, which test/system/monitoring.test.ts runs, where this machine lets us: root on Debian or Ubuntu.
# Where not, the test skips and prints what is missing. The service of the package is not started.
set -uo pipefail
command -v prometheus >/dev/null && command -v promtool >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'Prometheus is not installed: not root, or no apt-get'; exit 0; }

export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 300 apt-get install -y -qq --no-install-recommends prometheus >/dev/null || echo 'Prometheus could not be installed'
exit 0
