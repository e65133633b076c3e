# `sh step.sh WHAT COMMAND …`: prints WHAT, runs the command, and prints how long it took if that was noticeable.
what=$1
shift
started=$(date +%s)
echo "$what …"
"$@" || exit
took=$(($(date +%s) - started))
if [ "$took" -gt 0 ]; then echo "$what: $took s"; fi
