#!/bin/sh
# Prints the folder to prepend to PATH so that `node` is new enough; prints nothing if it already is. If no suitable Node is found,
# installs the one that .node/package-lock.json pins from the npm registry.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/src/bin/find-node.sh"

if ! find_node "$project"; then
  started=$(date +%s)
  refuse_node 'Fetching one from the npm registry into .node/ …'
  # Does not retry, so that an unreachable registry is reported at once. npm exits with 0 if an optional package cannot be fetched, and
  # only its request log says what failed.
  npm_log=$(sh "$project/src/bin/install.sh" "$project/.node" --fetch-retries=0 --loglevel http 2>&1)
  if ! find_node "$project"; then
    printf '%s\n' "$npm_log" | grep -E 'failed with|npm (error|ERR!)' >&2
    refuse_node "None could be fetched for this machine ($(uname -sm)): if npm says why above, check the network and npm's registry; otherwise install Node 24 from https://nodejs.org. Then try again."
    exit 1
  fi
  echo "Node $("$node" -v) is in .node/ ($(($(date +%s) - started)) s)." >&2
fi
case $node in */*) dirname "$node" ;; esac
