import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { ToolError } from '../namespaces/run-tool.ts';
import { windowField, windowScale } from './receive-window.ts';

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
