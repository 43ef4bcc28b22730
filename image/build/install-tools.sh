#!/bin/sh
# install-tools.sh <lock file>: the build's tools in exactly the versions of the list, whatever the base image has.
set -eu
export DEBIAN_FRONTEND=noninteractive
sh /inputs/fetch.sh "$1" /tmp/debs
# The list is complete, so nothing is resolved: unpack all, then configure all.
dpkg --force-downgrade --unpack /tmp/debs/*.deb > /tmp/unpacked.log || { cat /tmp/unpacked.log; exit 1; }
dpkg --configure --pending > /tmp/configured.log || { cat /tmp/configured.log; exit 1; }
rm -rf /tmp/debs /tmp/*.log
