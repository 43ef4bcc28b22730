#!/bin/sh
# Writes OUT/<list>.lock for every list of packages.txt, with a line "<sha256> <archive> <path> <bytes>" for each package and
# its dependencies in the archives' current versions. The lists firmware, stub, kernel and gpu are complete without dependencies.
set -eu
packages=$1
out=$2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
mkdir -p "$out"
rm -f /etc/apt/sources.list.d/*
for suite in debian/trixie debian/trixie-updates debian/trixie-backports debian-security/trixie-security; do
  echo "deb $mirror/${suite%%/*} ${suite#*/} main"
done > /etc/apt/sources.list
apt-get -qq -o Acquire::Check-Valid-Until=false update

# Converts apt's lines of URIs to lock lines, with the archive's digest of exactly this file.
lock() {
  while read -r uri file bytes hash; do
    path=$(printf '%s' "${uri#"$mirror"/}" | tr -d "'" | sed "s/%2b/+/g; s/%7e/~/g; s/%3a/:/g; s#^'*$mirror/##")
    name=${file%%_*}
    sha256=$(apt-cache show "$name" | awk -v end="${path##*/}" '/^Filename:/ { n = $2 } /^SHA256:/ { s = $2 }
      /^$/ { if (n ~ "/" && substr(n, length(n) - length(end) + 1) == end) print s; n = "" }
      END { if (n != "" && substr(n, length(n) - length(end) + 1) == end) print s }' | head -n 1)
    [ ${#sha256} -eq 64 ] || { echo "no digest for $path" >&2; exit 1; }
    echo "$sha256 ${path%%/*} ${path#*/} $bytes"
  done
}

grep -v '^#' "$packages" | while read -r list names; do
  case $list in
    tools | guest | headers)
      # Resolve as if no package were installed, so that the list includes packages that the base image already has.
      apt-get -qq -o Dir::State::status=/dev/null --no-install-recommends --print-uris install $names ;;
    *) apt-get -qq --print-uris download $names ;;
  esac | grep "^'" | lock | LC_ALL=C sort -k 3 > "$out/$list.lock"
  echo "$list: $(wc -l < "$out/$list.lock") packages"
done
