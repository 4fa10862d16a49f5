# Ends the Agent, and removes all that "up" has put on the host.
remove_service
end_processes
if [ -e "$folder/has-linger" ]; then
  # Another Agent of this user may need it.
  set -- "$units"/http-ae-agent-*.service
  if [ ! -e "$1" ]; then loginctl disable-linger; fi
fi
if [ -e "$folder" ]; then say removed; fi
rm -rf -- "$folder" || fail "cannot remove $folder"
if [ -O "$temporary" ]; then rm -rf -- "$temporary"; fi
# Of a user also the folders above, if nothing else is in them.
if [ "$(id -u)" -eq 0 ]; then rmdir -- "$base" 2>/dev/null; else rmdir -p -- "$base" "$units" 2>/dev/null; fi
say done
