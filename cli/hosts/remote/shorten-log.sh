# Keeps a log short while a program appends to it: shorten-log.sh FILE MOST_BYTES EVERY_S. The last quarter of what it had goes to FILE.1.
while sleep "$3"; do
  if [ "$(wc -c <"$1")" -gt "$2" ]; then tail -c "$(($2 / 4))" "$1" >"$1.1" && : >"$1"; fi
done
