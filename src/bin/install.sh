# `sh install.sh FOLDER [OPTION …]` installs exactly what the folder's lock file names, without running scripts of packages. It reports
# an unreachable registry within seconds; npm by default retries for minutes.
if ! [ -w "${HOME:-/}" ]; then export npm_config_cache="${TMPDIR:-/tmp}/npm-of-$(id -u)"; fi
export npm_config_update_notifier=false
exec npm ci --ignore-scripts --no-fund --no-audit --loglevel error --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=30000 --prefix "$@"
