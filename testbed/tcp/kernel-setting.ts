import { runIn, type Enter } from '../namespaces/run-in.ts';

/** Reads a setting of the kernel (sysctl), such as `net/ipv4/tcp_fastopen`, in a place. */
export async function readSetting(enter: Enter, name: string): Promise<string> {
  return (await runIn(enter, 'cat', `/proc/sys/${name}`)).trim();
}

export async function writeSetting(enter: Enter, { name, value }: { name: string; value: string }): Promise<void> {
  await runIn(enter, 'sh', '-ec', 'printf %s "$2" >"/proc/sys/$1"', 'sh', name, value);
}
