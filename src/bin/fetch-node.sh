#!/bin/sh
# Prints the folder to put before the PATH so that `node` is new enough: nothing where the PATH's own is. Where none is found, the one
# that .node/package-lock.json pins comes from the npm registry.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/src/bin/find-node.sh"

if ! find_node "$project"; then
  started=$(date +%s)
  refuse_node 'Fetching one from the npm registry into .node/ …'
  # Without retries: a registry that cannot be reached is then told at once, not after minutes of silence.
  if ! npm_config_fetch_retries=0 sh "$project/src/bin/install.sh" "$project/.node" >&2; then
    refuse_node 'npm could not fetch one, for the reason above: check the network and the registry of npm, or install Node 24 from https://nodejs.org, and try again.'
    exit 1
  fi
  if ! find_node "$project"; then
    refuse_node "None could be fetched for this machine ($(uname -sm)): install Node 24 from https://nodejs.org and try again."
    exit 1
  fi
  echo "Node $("$node" -v) is in .node/ ($(($(date +%s) - started)) s)." >&2
fi
case $node in */*) dirname "$node" ;; esac
