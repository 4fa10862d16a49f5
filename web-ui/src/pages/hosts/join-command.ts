/** The one command that makes a machine a host. Each value is quoted for a POSIX shell. */
export function joinCommand({
  controller,
  token,
  name,
  allowsScripts = false,
}: {
  controller: string;
  token: string;
  name: string;
  allowsScripts?: boolean;
}): string {
  return `./http-ae agent --controller ${quote(controller)} --token ${quote(token)} --name ${quote(name)}${allowsScripts ? ' --allow-scripts' : ''}`;
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
