#!/usr/bin/env bash
# Installs the clients that the suite `clients` runs: npm packages from a lock file of their own, and packages for Python. Where it
# cannot, the suite skips them and prints what is missing. Install scripts of npm packages do not run: none is needed here.
set -uo pipefail
cd "$(dirname "$0")/../test/clients"

if cmp -s package-lock.json node_modules/.installed-lock; then
  :
elif timeout 600 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; then
  # Written last, so that an installation that was cut off is repeated.
  cp package-lock.json node_modules/.installed-lock
else
  echo 'the clients could not be installed: is the npm registry reachable?' >&2
fi

if cmp -s requirements.txt build/python/.installed; then
  :
elif python3 -m venv build/python && timeout 600 build/python/bin/pip install --quiet --retries 1 --requirement requirements.txt; then
  cp requirements.txt build/python/.installed
else
  echo 'the clients for Python could not be installed: is there a Python with venv, and a package index?' >&2
  rm -rf build/python
fi
exit 0
