#!/usr/bin/env bash
# Installs the browser that the suite `web` drives, where this machine lets us: root on Debian or Ubuntu. Where not, the suite skips and
# prints what is missing.
set -uo pipefail
command -v chromium >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'no browser is installed: not root, or no apt-get'; exit 0; }

export DEBIAN_FRONTEND=noninteractive
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 600 apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null || echo 'chromium could not be installed'
exit 0
