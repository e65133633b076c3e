# `sh quietly.sh TARGET COMMAND …`: runs the command. Prints its output only if it fails, in one piece and under the target's name.
target=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
started=$(date +%s)
if "$@" > "$output" 2>&1; then
  echo "$target: passed in $(($(date +%s) - started)) s"
else
  printf '%s\n' "$target: FAILED" "$(cat "$output")" >&2
  exit 1
fi
