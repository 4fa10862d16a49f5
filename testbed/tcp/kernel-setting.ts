import { runIn, type Enter } from '../namespaces/run-tool.ts';

/** Reads a setting of the kernel (sysctl), such as `net/ipv4/tcp_fastopen`, in a place. */
export async function readSetting(enter: Enter, name: string): Promise<string> {
  return (await runIn(enter, 'cat', `/proc/sys/${name}`)).trim();
}

export async function writeSetting(enter: Enter, { name, value }: { name: string; value: string }): Promise<void> {
  await runIn(enter, 'sh', '-ec', 'printf %s "$2" >"/proc/sys/$1"', 'sh', name, value);
}

/** Writes several settings in a place. Disposing puts the former values back. */
export async function changeSettings(enter: Enter, values: Record<string, string>): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  for (const [name, value] of Object.entries(values)) {
    const former = await readSetting(enter, name);
    await writeSetting(enter, { name, value });
    undo.defer(() => writeSetting(enter, { name, value: former }));
  }
  return undo.move();
}
