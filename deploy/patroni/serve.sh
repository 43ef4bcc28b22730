#!/bin/sh
# Runs Patroni and hand_over.py in a container. Passwords come from files: DATABASE_SECRETS is a folder with the files
# cloister_database_password, cloister_superuser_password and cloister_replication_password. NODE_ADDRESS is the name at which the
# other servers reach this one, and PATRONI_NAME its name in the cluster. The container ends when one of the two programs does.
set -eu
secret() { cat "${DATABASE_SECRETS:-/run/secrets}/cloister_$1_password"; }
CLOISTER_DATABASE_PASSWORD=$(secret database)
PATRONI_SUPERUSER_PASSWORD=$(secret superuser)
PATRONI_REPLICATION_PASSWORD=$(secret replication)
export CLOISTER_DATABASE_PASSWORD PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD
export PATRONI_SUPERUSER_USERNAME=postgres PATRONI_REPLICATION_USERNAME=replicator
export PATRONI_RESTAPI_LISTEN=0.0.0.0:8008 PATRONI_RESTAPI_CONNECT_ADDRESS="$NODE_ADDRESS:8008"
export PATRONI_POSTGRESQL_LISTEN=0.0.0.0:5432 PATRONI_POSTGRESQL_CONNECT_ADDRESS="$NODE_ADDRESS:5432"
export PATRONI_POSTGRESQL_DATA_DIR=/var/lib/postgresql/data PATRONI_POSTGRESQL_PGPASS=/tmp/pgpass
# Debian has a folder of programs for each version, and the image has one version.
PATRONI_POSTGRESQL_BIN_DIR=$(echo /usr/lib/postgresql/*/bin)
export PATRONI_POSTGRESQL_BIN_DIR

patroni /etc/patroni/patroni.yml &
patroni=$!
python3 /etc/patroni/hand_over.py &
guard=$!
# Patroni stops PostgreSQL when it gets SIGTERM, and gives the leadership away.
trap 'kill -TERM $patroni; wait $patroni; exit 0' TERM INT
while kill -0 $patroni && kill -0 $guard; do
  sleep 1 &
  wait $!
done
kill -TERM $patroni && wait $patroni
exit 1
