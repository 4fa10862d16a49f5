import { AppError } from '#core/app-error.ts';
import { orRefuse, runIn, type Enter } from '../namespaces/run-tool.ts';
import { changeRoutes } from './change-routes.ts';
import { changeSettings } from './kernel-setting.ts';

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
  await orRefuse(
    runIn(enter, 'nft', rules),
    (problem) =>
      `receiveBufferBytes needs nftables (Debian, Ubuntu: sudo apt-get install nftables), and a kernel that has it: ${problem}`,
  );
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

/**
 * The largest window, in bytes of payload, that connections by this interface advertise. The kernel keeps its memory for as much,
 * counts overhead in it, and from what packets it receives decides how much payload fits. So its memory is larger than the window,
 * the routes fix the scale of the window, and a rule cuts what is advertised to the window exactly. Disposing takes all of it back.
 */
export async function setReceiveBuffer(
  enter: Enter,
  { interface: name, bytes }: { interface: string; bytes: number },
): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const memoryBytes = receiveMemoryBytes(bytes);
  undo.use(
    await changeSettings(enter, {
      // Before Linux 6.6: half of the memory is for payload. Later ones find the part from the packets, and begin with half.
      'net/ipv4/tcp_adv_win_scale': '1',
      'net/ipv4/tcp_rmem': `4096 ${memoryBytes} ${memoryBytes}`,
    }),
  );
  undo.use(
    await changeRoutes(enter, { interface: name, attributes: { window: bytes }, setting: 'receiveBufferBytes' }),
  );
  undo.use(await limitWindow(enter, { interface: name, bytes }));
  return undo.move();
}

/** Throws `testbed-failed` when a new connection has another scale or less memory than the window needs. */
export function refuseOtherReceiveBuffer(
  found: { receiveWindowScale: number; receiveMemoryBytes: number },
  bytes: number,
): void {
  const expected = { scale: windowScale(bytes), memory: receiveMemoryBytes(bytes) };
  if (found.receiveWindowScale === expected.scale && found.receiveMemoryBytes === expected.memory) return;
  throw new AppError(
    'testbed-failed',
    `receiveBufferBytes is ${bytes}, but a new connection has a window scale of ${found.receiveWindowScale}, not ${expected.scale}, or ${found.receiveMemoryBytes} bytes of memory, not ${expected.memory}`,
  );
}
