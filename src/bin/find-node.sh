# Sourced. Finds the Node for this project: the one on the PATH if it is new enough, else the one in .node/.

NODE_WANTED='22.19'

# Succeeds if the Node at $1 runs on this machine and is at least NODE_WANTED.
is_new_enough() {
  version=$("$1" -v) || return 1
  major=${version#v}
  minor=${major#*.}
  major=${major%%.*}
  minor=${minor%%.*}
  [ "$major" -gt "${NODE_WANTED%.*}" ] || { [ "$major" -eq "${NODE_WANTED%.*}" ] && [ "$minor" -ge "${NODE_WANTED#*.}" ]; }
} 2> /dev/null

# Sets `node`. $1: the project's folder.
find_node() {
  for node in node "$1"/.node/node_modules/node-*/bin/node; do
    if is_new_enough "$node"; then return 0; fi
  done
  return 1
}

# Prints that no suitable Node was found. $1: what to do.
refuse_node() {
  found=$(node -v 2> /dev/null) || found=vnone
  echo "Node $NODE_WANTED or newer is needed (24 is best); the PATH has ${found#v}. $1" >&2
}
