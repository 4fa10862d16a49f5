import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { ToolError } from '../namespaces/run-tool.ts';

/** RFC 7323, 2.3. */
const largestScale = 14;

const tableOf = (interfaceName: string) => `http_ae_window_${interfaceName.replaceAll(/\W/g, '_')}`;

/** Cuts the window that leaves by an interface to so many bytes, by a rule of nftables. Disposing removes the rule. Throws `testbed-refused` without nftables. */
export async function limitWindow(
  enter: Enter,
  { interface: name, bytes }: { interface: string; bytes: number },
): Promise<AsyncDisposable> {
  const table = tableOf(name);
  const scaled = windowField(bytes, windowScale(bytes));
  const unscaled = windowField(bytes, 0);
  const rule = (flags: string, most: number) =>
    `add rule inet ${table} leaving oifname "${name}" tcp flags & syn ${flags} tcp window > ${most} tcp window set ${most}`;
  await runNft(
    enter,
    [
      `add table inet ${table}`,
      `add chain inet ${table} leaving { type filter hook postrouting priority mangle; }`,
      rule('== 0', scaled),
      rule('== syn', unscaled),
    ].join('\n'),
  );
  return { [Symbol.asyncDispose]: () => runNft(enter, `delete table inet ${table}`) };
}

async function runNft(enter: Enter, rules: string): Promise<void> {
  try {
    await runIn(enter, 'nft', rules);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new AppError(
      'testbed-refused',
      `receiveBufferBytes needs nftables (Debian, Ubuntu: sudo apt-get install nftables), and a kernel that has it: ${error.message}`,
      { cause: error },
    );
  }
}

/** The window scale that the kernel chooses for a largest window: the least that lets 16 bits hold it (tcp_select_initial_window). */
export function windowScale(bytes: number): number {
  return Math.min(largestScale, Math.max(0, Math.floor(Math.log2(bytes)) - 15));
}

/** The number in the window field of a packet for so many bytes. SYN packets are not scaled (RFC 7323, 2.2). */
export function windowField(bytes: number, scale: number): number {
  return Math.min(0xffff, Math.floor(bytes / 2 ** scale));
}

/** The kernel counts what packets take, headers and unused room included: twice the payload is enough for full packets. */
export function receiveMemoryBytes(windowBytes: number): number {
  return 2 * windowBytes;
}
