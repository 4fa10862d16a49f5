# What all scripts for hosts begin with. They run at the host, in any POSIX shell; before them are assignments of what
# they are about: id, name. All that is put on a host is in one folder, besides it are temporary files and the unit of a service.
set -u
exec 2>&1
say() { printf 'http-ae-host: %s\n' "$*"; }

fail() {
  say "fail $*"
  exit 1
}

# Where the owner is root, Agents may run browsers as other users, who must get at them.
if [ "$(id -u)" -eq 0 ]; then
  base=/var/lib/http-ae-hosts
  units=/etc/systemd/system
  control() { systemctl "$@"; }
else
  base=${XDG_DATA_HOME:-${HOME:?}/.local/share}/http-ae-hosts
  units=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
  export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/run/user/$(id -u)}"
  control() { systemctl --user "$@"; }
fi
unit=http-ae-agent-$id.service
# The sockets of browsers allow only short paths.
temporary=/tmp/hae-$id

# The name without symbolic links, as processes have it.
find_folder() {
  folder=$base/$id
  if [ -d "$folder" ]; then folder=$(CDPATH='' cd -- "$folder" && pwd -P); fi
  program=$folder/program
}
find_folder

# Processes that were started from the folder, whatever became of those that started them: all have it in their environment.
list_processes() {
  if [ -d /proc/self ]; then
    for each in $(grep -slF -- "HTTP_AE_HOME=$folder/home" /proc/[0-9]*/environ); do
      each=${each#/proc/}
      each=${each%/environ}
      # Not this shell, nor one that was found on its way out.
      if [ "$each" != "$$" ] && [ -e "/proc/$each/cmdline" ]; then printf '%s\n' "$each"; fi
    done
  else
    ps -axww -o pid=,command= | grep -F -- "$folder/" | grep -vF grep | sed 's/^ *//; s/ .*//'
  fi
}

# An Agent ends what it started, which may take a while.
end_processes() {
  for signal in TERM KILL; do
    running=$(list_processes)
    if [ -z "$running" ]; then return; fi
    for each in $running; do
      # Only Agents are asked; what they started they end by themselves.
      if [ "$signal" = KILL ] || is_agent "$each"; then kill -s "$signal" "$each" 2>/dev/null; fi
    done
    waited=0
    while [ "$waited" -lt 20 ] && [ -n "$(list_processes)" ]; do
      # Nothing is left that could end the others.
      if [ "$signal" = TERM ] && [ -z "$(find_agent)" ]; then break; fi
      sleep 1
      waited=$((waited + 1))
    done
  done
  [ -z "$(list_processes)" ] || fail "the processes $(list_processes | tr '\n' ' ')do not end: end them there, then try again"
}

is_agent() {
  if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null; else ps -ww -o command= -p "$1"; fi |
    grep -qF -- "$program/cli/main.ts agent "
}

find_agent() {
  for each in $(list_processes); do
    if is_agent "$each"; then
      printf '%s\n' "$each"
      return
    fi
  done
}

has_service() { [ -e "$units/$unit" ]; }

remove_service() {
  has_service || return 0
  control disable --now "$unit" ||
    say "note the service $unit was removed, but systemd was not reached to stop it: its processes are ended now"
  rm -f -- "$units/$unit"
  control daemon-reload
}
