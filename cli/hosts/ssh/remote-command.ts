/**
 * What is run at the other end: a shell that takes its script from standard input, so that nothing of it is in a list of processes. `dd` takes not
 * one byte more than the script has: the rest of the input is for the script. The login shell need not be a POSIX one.
 */
export function makeRemoteCommand(scriptBytes: number, { isRootWanted }: { isRootWanted: boolean }): string {
  const take = `s=$(dd bs=1 count=${scriptBytes} 2>/dev/null) && eval "$s"`;
  if (!isRootWanted) return `exec sh -c '${take}'`;
  return `exec sh -c '[ "$(id -u)" -eq 0 ] || exec sudo -n -- sh -c "$0" || exit; eval "$0"' '${take}'`;
}
