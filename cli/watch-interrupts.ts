import { constants } from 'node:os';
import { once } from 'node:events';

const watched = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Somebody stopped the command before it was done. */
export class InterruptedError extends Error {
  readonly signalName: (typeof watched)[number];
  /** 128 and the number of the signal, as a shell counts. */
  readonly exitStatus: number;

  constructor(signalName: (typeof watched)[number]) {
    super(`Stopped by ${signalName}`);
    this.signalName = signalName;
    this.exitStatus = 128 + constants.signals[signalName];
  }
}

/** What stopped a command, also where Node says it with an error of its own, as streams, timers and processes do; null where nothing did. */
export function findInterrupt(error: unknown): InterruptedError | null {
  if (error instanceof InterruptedError) return error;
  return error instanceof Error && error.name === 'AbortError' ? findInterrupt(error.cause) : null;
}

export interface Interrupts extends Disposable {
  /** Aborts, with an InterruptedError, at the first Ctrl-C, SIGTERM or SIGHUP. */
  signal: AbortSignal;
}

/** The first interrupt asks for an orderly end; the second ends the process at once. Commands that hold anything use this. */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  const interrupt = (signalName: (typeof watched)[number]) => {
    const reason = new InterruptedError(signalName);
    if (controller.signal.aborted) process.exit(reason.exitStatus);
    controller.abort(reason);
  };
  for (const name of watched) process.on(name, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of watched) process.off(name, interrupt);
    },
  };
}

/** Resolves when the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
