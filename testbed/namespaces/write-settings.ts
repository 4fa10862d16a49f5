import { enterNamespace } from './network-namespaces.ts';
import { runTool } from './run-tool.ts';

const script = `while [ $# -gt 0 ]; do
  if [ -e "/proc/sys/$1" ]; then printf '%s' "$2" >"/proc/sys/$1"; fi
  shift 2
done`;

/** Writes kernel settings (sysctl) of a namespace. Those that this kernel does not have, such as IPv6's, are left out. */
export async function writeSettings(namespace: string, settings: Record<string, number | string>): Promise<void> {
  const args = Object.entries(settings).flatMap(([name, value]) => [name, String(value)]);
  await runTool(...enterNamespace(namespace), 'sh', '-ec', script, 'sh', ...args);
}
