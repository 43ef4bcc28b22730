#!/bin/sh
# resolve-nvidia.sh <nvidia.txt> <folder>: downloads the listed files and writes their digests to <folder>/nvidia.lock.
set -eu
mkdir -p "$2"
ca=
[ -e /run/secrets/ca ] && ca="-o Acquire::https::CAInfo=/run/secrets/ca"
grep -v '^#' "$1" | while read -r url; do
  /usr/lib/apt/apt-helper -q -o APT::Sandbox::User=root $ca download-file "$url" /tmp/nvidia.file > /dev/null
  echo "$(sha256sum /tmp/nvidia.file | cut -d ' ' -f 1) $url"
  rm /tmp/nvidia.file
done > "$2/nvidia.lock"
