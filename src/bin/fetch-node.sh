#!/bin/sh
# Prints the folder to put before the PATH so that `node` is new enough: nothing where the PATH's own is. Where none is found, the one
# that .node/package-lock.json pins comes from the npm registry.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/src/bin/find-node.sh"

if ! find_node "$project"; then
  started=$(date +%s)
  refuse_node 'Fetching one from the npm registry into .node/ …'
  # Without retries, a registry that cannot be reached is told at once. To npm a package that cannot be fetched is one that this machine
  # does not need: it ends well, and only its log of requests says what failed.
  said=$(sh "$project/src/bin/install.sh" "$project/.node" --fetch-retries=0 --loglevel http 2>&1)
  if ! find_node "$project"; then
    printf '%s\n' "$said" | grep -E 'failed with|npm (error|ERR!)' >&2
    refuse_node "None could be fetched for this machine ($(uname -sm)): where npm says why above, check the network and npm's registry; else install Node 24 from https://nodejs.org. Then try again."
    exit 1
  fi
  echo "Node $("$node" -v) is in .node/ ($(($(date +%s) - started)) s)." >&2
fi
case $node in */*) dirname "$node" ;; esac
