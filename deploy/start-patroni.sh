#!/bin/bash
# Starts Patroni in a container of docker-compose.cluster.yml: it takes passwords only from its environment.
PATRONI_REPLICATION_PASSWORD=$(</run/secrets/replication_password)
PATRONI_REWIND_PASSWORD=$PATRONI_REPLICATION_PASSWORD
export PATRONI_REPLICATION_PASSWORD PATRONI_REWIND_PASSWORD
exec patroni /etc/platform
