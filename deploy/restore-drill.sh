#!/usr/bin/env bash
# Restores the newest backup of deploy/backup.sh into an empty database, which DATABASE_URL names, and fails unless its schema
# is that of this version. DATABASE_URL_FILE may name a file with the address instead:
#
#   BACKUP_FOLDER=/var/backups/platform DATABASE_URL=postgresql://platform@127.0.0.1/drill deploy/restore-drill.sh
set -euo pipefail
umask 077
: "${BACKUP_FOLDER:?}" "${DATABASE_URL:-${DATABASE_URL_FILE:?}}"
platform() { node "$(dirname "$0")/../dist/src/cli.js" "$@"; }
newest=$(find "$BACKUP_FOLDER" -name 'platform-*.backup.gpg' | sort | tail -1)
[[ -n $newest ]] || { echo "no backup in $BACKUP_FOLDER" >&2; exit 1; }
# restore reads its file twice, so a pipe does not do.
plain=$(mktemp)
trap 'rm -f "$plain"' EXIT
gpg --batch --yes --quiet --decrypt --output "$plain" "$newest"
platform restore "$plain"
platform migrate plan --json | node -e '
  const pending = JSON.parse(require("node:fs").readFileSync(0)).filter(({ applied }) => !applied);
  if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);'
echo "restored $newest"
