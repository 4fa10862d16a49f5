/** The one command that makes a machine a host. Each value is quoted for a POSIX shell, whatever it holds. */
export function joinCommand({ controller, token, name }: { controller: string; token: string; name: string }): string {
  return `./http-ae agent --controller ${quote(controller)} --token ${quote(token)} --name ${quote(name)}`;
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
