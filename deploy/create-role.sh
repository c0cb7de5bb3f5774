#!/bin/bash
# Run once by the database's image, or by Patroni: one role owns the database, and the servers connect as another one that owns nothing
# (docs/deployment.md). The superuser has no password any more, so that it gets in only inside the container.
set -e
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set owner `cat /run/secrets/owner_password`
\set server `cat /run/secrets/database_password`
CREATE ROLE platform LOGIN PASSWORD :'owner';
CREATE ROLE platform_server LOGIN PASSWORD :'server';
CREATE DATABASE platform OWNER platform TEMPLATE template0 ENCODING 'UTF8';
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
