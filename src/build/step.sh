# `sh step.sh WHAT COMMAND …`: runs the command, and says before what it is, and after it how long it took where that was noticeable.
what=$1
shift
started=$(date +%s)
echo "$what …"
"$@" || exit
took=$(($(date +%s) - started))
if [ "$took" -gt 0 ]; then echo "$what: $took s"; fi
