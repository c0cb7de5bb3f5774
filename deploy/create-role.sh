#!/bin/bash
# Run once by the database's image: a role without rights over others owns the database, and the
# superuser has no password any more, so that it gets in only inside the container.
set -e
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set password `cat /run/secrets/database_password`
CREATE ROLE platform LOGIN PASSWORD :'password';
CREATE DATABASE platform OWNER platform TEMPLATE template0 ENCODING 'UTF8';
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
