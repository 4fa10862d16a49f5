#!/bin/bash
# Sends BYTES to a listener, and prints what the kernel reports of the connection until all are acknowledged: trace-window.sh HOST PORT BYTES
exec 3<>"/dev/tcp/$1/$2"
head -c "$3" /dev/zero >&3
for ((reports = 0; reports < 2000; reports++)); do
  report=$(ss --tcp --info --numeric --no-header --oneline dport = ":$2")
  echo "$report"
  [[ $report == *"bytes_acked:$(($3 + 1)) "* ]] && exit
  sleep 0.02
done
