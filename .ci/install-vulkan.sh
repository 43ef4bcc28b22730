#!/usr/bin/env bash
# Installs Mesa's software driver for Vulkan (lavapipe) for the suite `gpu`, where this machine lets us: root on Debian or Ubuntu.
# Where not, the suite skips and prints what is missing.
set -uo pipefail
for driver in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json; do
  [ -e "$driver" ] && ldconfig -p | grep -q libvulkan.so.1 && exit 0
done
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'no Vulkan driver is installed: not root, or no apt-get'; exit 0; }
export DEBIAN_FRONTEND=noninteractive
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 600 apt-get install -y -qq --no-install-recommends libvulkan1 mesa-vulkan-drivers >/dev/null || echo 'the Vulkan driver could not be installed'
exit 0
