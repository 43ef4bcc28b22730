#!/usr/bin/env bash
# Installs what the suites `compute` and `image` run for real, where this machine lets us: root on Debian or Ubuntu. Where not,
# or where a package is not to be had, those suites skip and print what is missing.
set -uo pipefail
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo 'engines are not installed: not root, or no apt-get'; exit 0; }

packages=(
  podman runc netavark aardvark-dns conmon catatonit            # standard pods
  docker.io iptables iproute2                                   # a Swarm
  haproxy                                                       # one address for a fleet
  libvirt-daemon-system libvirt-clients libxml2-utils           # confidential VMs, emulated
  qemu-system-x86 qemu-utils ovmf genisoimage dnsmasq-base kmod
  linux-image-cloud-amd64 busybox-static dropbear-bin patchelf cpio  # guests and their SSH
  buildah swtpm swtpm-tools mmdebstrap g++                                 # the image of the confidential VM
)
# Nothing that comes with them may start by itself: the suites start what they need, in folders of their own.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
timeout 300 apt-get -qq update || echo 'apt-get update failed'
timeout 900 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null || echo 'not every engine could be installed'
exit 0
