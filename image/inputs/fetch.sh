#!/bin/sh
# fetch.sh <lock file> <folder>: downloads every package of the list into the folder. apt-helper verifies the digests; a
# mismatch fails the build. %s in the mirror's URL is replaced by the archive's name, as snapshot.debian.org requires:
# http://snapshot.debian.org/archive/%s/20261121T000000Z
set -eu
lock=$1
folder=$2
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
mkdir -p "$folder"
set --
while read -r sha256 archive path bytes; do
  case $mirror in
    *%s*) base=${mirror%%%s*}$archive${mirror#*%s} ;;
    *) base=$mirror/$archive ;;
  esac
  set -- "$@" "$base/$path" "$folder/${path##*/}" "SHA256:$sha256"
done < "$lock"
/usr/lib/apt/apt-helper -q -o APT::Sandbox::User=root -o Acquire::Retries=3 download-file "$@" > /dev/null
