#!/usr/bin/env bash
# Installs the shells and readers that tests of the command line use, where this machine lets us: root on Debian or Ubuntu. Where not,
# those tests skip and print what is missing.
set -uo pipefail
command -v zsh >/dev/null && command -v fish >/dev/null && command -v mandoc >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'no shells are installed: not root, or no apt-get'; exit 0; }

export DEBIAN_FRONTEND=noninteractive
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 300 apt-get install -y -qq --no-install-recommends zsh fish mandoc >/dev/null || echo 'zsh, fish or mandoc could not be installed'
exit 0
