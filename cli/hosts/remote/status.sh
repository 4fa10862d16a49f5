# Reports what is on the host.
if [ -e "$program/.archive" ]; then say "program $(cat "$program/.archive")"; fi
agent=$(find_agent)
if [ -n "$agent" ]; then say "agent $(cat "$folder/lifetime")"
elif has_service; then say 'agent stopped'
fi
say done
