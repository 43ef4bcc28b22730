#!/bin/sh
# fetch.sh <lock file> <folder>: downloads every package of the list into the folder. A file whose bytes are not those of the list
# ends the build: apt-helper compares the digest. A mirror with %s has the archive's name there, as snapshot.debian.org needs it:
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
