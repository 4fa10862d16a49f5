import { setTimeout as pause } from 'node:timers/promises';

/** How far a capture is, in packets. */
export interface CaptureProgress {
  /** Those that the kernel has put in its buffer, or wanted to: those that it dropped are not among them. */
  kept: number;
  taken: number;
}

/** How long packets may be on their way to the kernel's buffer. */
const arrivalMs = 100;
const lookEveryMs = 20;
/** Looks that find nothing new. On the loopback interface the kernel counts every packet twice, so that there `taken` never comes to `kept`. */
const idleLooks = 25;

/**
 * Resolves when a capture has taken all that the kernel had for it. Time alone does not show it: on a busy machine a second's packets may still
 * lie there after a tenth. `look` is answered by the process that captures, so that one that gets no CPU is waited for.
 */
export async function drainCapture(look: () => CaptureProgress | Promise<CaptureProgress>): Promise<void> {
  await pause(arrivalMs);
  const { kept } = await look();
  let last = -1;
  for (let idle = 0; idle < idleLooks;) {
    const { taken } = await look();
    if (taken >= kept) return;
    idle = taken === last ? idle + 1 : 0;
    last = taken;
    await pause(lookEveryMs);
  }
}
