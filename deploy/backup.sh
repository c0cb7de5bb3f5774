#!/usr/bin/env bash
# An encrypted backup with the schema in its name, for cron or a systemd timer (docs/backup.md):
#
#   BACKUP_FOLDER=/var/backups/platform BACKUP_RECIPIENT=ops@example.com DATABASE_URL=… deploy/backup.sh
#
# BACKUP_COPY is a command that gets the file as its argument and stores it elsewhere; BACKUP_DAYS is how long files are kept.
set -euo pipefail
umask 077
: "${BACKUP_FOLDER:?}" "${BACKUP_RECIPIENT:?}"
platform() { node "$(dirname "$0")/../dist/src/cli.js" "$@"; }
schema=$(platform migrate plan --json | node -e '
  const states = JSON.parse(require("node:fs").readFileSync(0));
  const newest = states.filter(({ history, applied }) => history === "migrations" && applied).at(-1);
  console.log(/\d+$/.exec(newest.name)[0]);')
name=platform-$(date -u +%Y%m%dT%H%M%SZ)-schema-$schema.backup.gpg
# The file gets its name once it is whole.
platform backup - |
  gpg --batch --yes --trust-model always --encrypt --recipient "$BACKUP_RECIPIENT" --output "$BACKUP_FOLDER/.$name"
mv "$BACKUP_FOLDER/.$name" "$BACKUP_FOLDER/$name"
[[ -z ${BACKUP_COPY:-} ]] || $BACKUP_COPY "$BACKUP_FOLDER/$name"
find "$BACKUP_FOLDER" -name 'platform-*.backup.gpg' -mtime "+${BACKUP_DAYS:-30}" -delete
echo "$BACKUP_FOLDER/$name"
