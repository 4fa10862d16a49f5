# Brings the program, where the host has another or none, and runs the Agent: archive_id, archive_bytes, token, lifetime
# (channel, service), agent_words (quoted for a shell). The archive comes by standard input, once asked for.
needed_kib=1500000

end_earlier() {
  if has_service || [ -n "$(list_processes)" ]; then
    say 'note ending the Agent of an earlier start'
    remove_service
    end_processes
  fi
}

# Others may write there, if the Agent runs browsers as them. Anybody may have made it before.
if [ "$(id -u)" -eq 0 ]; then temporary_mode=1777; else temporary_mode=700; fi
make_temporary() {
  mkdir -p -- "$temporary" && [ -O "$temporary" ] && [ ! -L "$temporary" ] && chmod "$temporary_mode" "$temporary"
}

make_folder() {
  umask 022
  if [ "$(id -u)" -ne 0 ]; then umask 077; fi
  mkdir -p -- "$folder/home" "$folder/cache" || fail "cannot create $folder: make room, or let this user write there"
  find_folder
  make_temporary || fail "$temporary belongs to somebody else: remove it"
  printf '%s\n' "$name" >"$folder/name" || fail "cannot write to $folder: make room on its disk"
}

require_space() {
  set -- $(df -Pk "$folder" | tail -n 1)
  case ${4:-} in
    '' | *[!0-9]*) return ;;
  esac
  if [ "$4" -lt "$needed_kib" ]; then
    fail "its disk has $(($4 / 1000)) MB free at $folder, and HTTP-AE needs about $((needed_kib / 1000)) MB with a browser: make room"
  fi
}

bring_program() {
  if [ "$(cat "$program/.archive" 2>/dev/null)" = "$archive_id" ] && [ -d "$program/node_modules" ]; then return; fi
  require_space
  if [ "$(cat "$program/.archive" 2>/dev/null)" = "$archive_id" ]; then return; fi
  for tool in head gzip tar; do
    command -v "$tool" >/dev/null 2>&1 || fail "it has no $tool: install it there"
  done
  rm -rf -- "$folder/arriving"
  mkdir -- "$folder/arriving"
  say "archive"
  head -c "$archive_bytes" | gzip -dc | tar -xof - -C "$folder/arriving" ||
    fail "cannot unpack HTTP-AE: check the free space of its disk, then try again"
  # What is installed already stays, if it is of use.
  if [ -d "$program/node_modules" ]; then mv -- "$program/node_modules" "$folder/arriving/"; fi
  printf '%s\n' "$archive_id" >"$folder/arriving/.archive"
  rm -rf -- "$program"
  mv -- "$folder/arriving" "$program"
}

# All that installing and running leaves in a home is in the folder.
set_environment() {
  export HTTP_AE_HOME="$folder/home" TMPDIR="$temporary" XDG_CACHE_HOME="$folder/cache"
  export npm_config_cache="$folder/cache/npm" CHROME_CONFIG_HOME="$folder/cache"
}

run_in_channel() {
  printf 'channel\n' >"$folder/lifetime"
  say starting
  # The token comes by a pipe, so it is in no list of processes and no file.
  eval "exec \"\$program/http-ae\" agent --by-ssh channel --token-file /dev/fd/3 $agent_words 3<<END_OF_TOKEN
\$token
END_OF_TOKEN"
}

# Without services, an Agent can still live as long as the channel.
fail_service() {
  say "no-service $*"
  exit 1
}

require_systemd() {
  control show-environment >/dev/null 2>&1 && return
  if [ "$(id -u)" -eq 0 ]; then fail_service 'it runs no systemd, so it has no services'; fi
  fail_service "systemd runs no services for this user: install dbus-user-session there and log in once"
}

# Without it, a user's services end at log-out.
let_linger() {
  if [ "$(id -u)" -eq 0 ] || [ "$(loginctl show-user "$(id -un)" -p Linger --value 2>/dev/null)" = yes ]; then return; fi
  loginctl enable-linger || fail_service "services of this user end at log-out: an administrator runs \"loginctl enable-linger $(id -un)\" there"
  : >"$folder/has-linger"
}

write_unit() {
  mkdir -p -- "$units"
  if [ "$(id -u)" -eq 0 ]; then target=multi-user.target; else target=default.target; fi
  cat >"$units/$unit" <<END_OF_UNIT
[Unit]
Description=$description
StartLimitIntervalSec=0

[Service]
Environment="HTTP_AE_HOME=$folder/home" "TMPDIR=$temporary" "XDG_CACHE_HOME=$folder/cache"
Environment="npm_config_cache=$folder/cache/npm" "CHROME_CONFIG_HOME=$folder/cache"
ExecStart=/bin/sh "$folder/start"
StandardOutput=append:$folder/agent.log
StandardError=append:$folder/agent.log
Restart=on-failure
RestartSec=5
TimeoutStopSec=30

[Install]
WantedBy=$target
END_OF_UNIT
}

# Prints the log as it comes, until standard input ends. A service that fails, or whose sender says "remove", does not stay.
follow_service() {
  tail -n +1 -f "$folder/agent.log" &
  tail_pid=$!
  (
    restarts=0
    while [ "${restarts:-0}" -eq 0 ]; do
      sleep 1
      restarts=$(control show -p NRestarts --value "$unit")
    done
    remove_service
    say 'ended'
  ) &
  watch_pid=$!
  while read -r word; do
    if [ "$word" = remove ]; then remove_service; fi
  done
  kill "$tail_pid" "$watch_pid" 2>/dev/null
}

run_as_service() {
  printf 'service\n' >"$folder/lifetime"
  # Installs and builds all that the Agent needs, so that the service starts at once.
  "$program/http-ae" agent --help >/dev/null || fail "HTTP-AE could not be installed"
  (umask 077 && printf '%s\n' "$token" >"$folder/token")
  # The system may have removed temporary files since.
  printf '%s\n' "mkdir -p $temporary && [ -O $temporary ] && [ ! -L $temporary ] && chmod $temporary_mode $temporary || exit 1" \
    "/bin/sh \"$program/cli/hosts/remote/shorten-log.sh\" \"$folder/agent.log\" 5000000 60 &" \
    "exec \"$program/http-ae\" agent --by-ssh service --token-file \"$folder/token\" $agent_words" >"$folder/start"
  : >"$folder/agent.log"
  write_unit
  control daemon-reload
  say starting
  control enable "$unit" || fail "systemd does not take the service"
  control restart "$unit" || fail "systemd does not start the service"
  follow_service
}

say begun
if [ "$lifetime" = service ]; then require_systemd; fi
end_earlier
make_folder
if [ "$lifetime" = service ]; then let_linger; fi
bring_program
set_environment
case $lifetime in
  channel) run_in_channel ;;
  service) run_as_service ;;
esac
