#!/bin/sh
# Creates the user and the database of the accounts. Patroni runs it on the first leader, with the address of the database postgres.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$CLOISTER_DATABASE_PASSWORD" "$1" <<'SQL'
create role cloister login password :'password';
create database cloister owner cloister;
SQL
