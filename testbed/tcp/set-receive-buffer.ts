import { AppError } from '#core/app-error.ts';
import type { Enter } from '../namespaces/run-in.ts';
import { changeRoutes } from './change-routes.ts';
import { changeSettings } from './kernel-setting.ts';
import { limitWindow, receiveMemoryBytes, windowScale } from './limit-window.ts';

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
