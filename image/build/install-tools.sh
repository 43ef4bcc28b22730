#!/bin/sh
# install-tools.sh <lock file>: installs the build tools in exactly the locked versions, independent of the base image.
set -eu
export DEBIAN_FRONTEND=noninteractive
sh /inputs/fetch.sh "$1" /tmp/debs
# The list includes all dependencies, so unpack everything, then configure everything.
dpkg --force-downgrade --unpack /tmp/debs/*.deb > /tmp/unpacked.log || { cat /tmp/unpacked.log; exit 1; }
dpkg --configure --pending > /tmp/configured.log || { cat /tmp/configured.log; exit 1; }
rm -rf /tmp/debs /tmp/*.log
