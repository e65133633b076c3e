#!/bin/sh
# Dumps the database that PGHOST, PGDATABASE and PGUSER name into BACKUP_FOLDER once a day, the first time at once, and removes its dumps of
# more than BACKUP_DAYS days. A dump has its name once it is whole and its table of contents can be read; one that failed leaves the others,
# and is tried again within the hour. With --once: one dump, and its exit code.
set -eu
umask 077

dump() {
  file="$BACKUP_FOLDER/agent-readiness-$(date -u +%Y-%m-%dT%H%M%SZ).dump"
  rm -f "$BACKUP_FOLDER"/*.partial
  if pg_dump --format=custom --file="$file.partial" && pg_restore --list "$file.partial" > /dev/null; then
    mv "$file.partial" "$file"
    find "$BACKUP_FOLDER" -maxdepth 1 -name 'agent-readiness-*.dump' -mtime +"$BACKUP_DAYS" -exec rm -f {} +
    echo "backup written: $file"
  else
    rm -f "$file.partial"
    echo 'backup failed' >&2
    return 1
  fi
}

if [ "${1:-}" = --once ]; then
  dump
  exit
fi
trap 'exit 0' TERM INT
while true; do
  if dump; then pause=86400; else pause=3600; fi
  sleep "$pause" &
  wait $!
done
