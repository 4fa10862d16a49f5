import type { Logger } from 'pino';
import { describeProblem, type AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOrder } from '#core/protocol/pass-order.ts';
import { type RecorderOptions, findControlChannel } from '../artefacts/pass-recorder.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { buildCaptureFilter } from './build-capture-filter.ts';
import type { LiveCapture } from './live-capture.ts';
import { startCapture } from './start-capture.ts';
import { readInterfaceAddresses } from '../users/interface-addresses.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';
import { endCapture } from './end-capture.ts';

interface HeldCapturesOptions extends RecorderOptions {
  send: (message: AgentMessage) => void;
  log: Logger;
}

interface HeldCapture {
  roundId: string;
  recorder: PointRecorder;
  limit: NodeJS.Timeout;
}

/** The Captures under way at Capture Points of this host. */
export class HeldCaptures {
  readonly #options: HeldCapturesOptions;
  readonly #held = new Map<string, HeldCapture>();
  /** Orders are dealt with one after the other: a stop that comes close behind its start finds it. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: HeldCapturesOptions) {
    this.#options = options;
  }

  get isCapturing(): boolean {
    return this.#held.size > 0;
  }

  start(order: CaptureOrder): void {
    this.#queue(async () => {
      // Of a Round whose end never reached this Agent.
      for (const [captureId, { roundId }] of [...this.#held])
        if (roundId !== order.roundId) await this.#end(captureId, true);
      if (this.#held.has(order.captureId)) return;
      const { captureId } = order;
      const started = await startPointRecorder(order, this.#options);
      if ('problem' in started) {
        this.#options.send({ type: 'capture-started', captureId, refusal: started });
        return;
      }
      const limit = setTimeout(() => this.#queue(() => this.#end(captureId, true)), order.endAfterMs);
      this.#held.set(captureId, { roundId: order.roundId, recorder: started, limit });
      this.#options.send({ type: 'capture-started', captureId, refusal: null });
    });
  }

  stop({ captureId, isBrokenOff }: { captureId: string; isBrokenOff: boolean }): void {
    this.#queue(async () => {
      await this.#end(captureId, isBrokenOff);
      this.#options.send({ type: 'capture-ended', captureId });
    });
  }

  /** Ends all, as Captures of Rounds that were broken off. */
  async close(): Promise<void> {
    await this.#last;
    for (const captureId of [...this.#held.keys()]) await this.#end(captureId, true);
  }

  /** One that cannot be kept, as on a full disk, holds up no other, and no answer. */
  async #end(captureId: string, isBrokenOff: boolean): Promise<void> {
    const held = this.#held.get(captureId);
    if (!held) return;
    clearTimeout(held.limit);
    try {
      await held.recorder.end({ isBrokenOff });
    } catch (error) {
      this.#options.log.error({ err: error, captureId }, 'A Capture could not be kept');
    }
    this.#held.delete(captureId);
  }

  #queue(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'An order to capture could not be dealt with'),
      );
  }
}

/** What of an order can never be captured by. */
interface CaptureRefusal {
  field: 'interface' | 'filter';
  problem: string;
}

/** Records the packets at a Capture Point in one Round. */
interface PointRecorder {
  /** Takes what is still on its way, and leaves the Capture in the spool. To end it again changes nothing. */
  end(options: { isBrokenOff: boolean }): Promise<void>;
}

/** Records from now on. Where that cannot be although the order is right, why is what will be spooled. */
async function startPointRecorder(
  order: CaptureOrder,
  { spool, controllerUrls, clock }: RecorderOptions,
): Promise<PointRecorder | CaptureRefusal> {
  const { captureId, limits } = order;
  let capture: LiveCapture | null = null;
  let absence = '';
  try {
    capture = await start(order, { file: spool.traceFile(captureId), controllerUrls });
  } catch (error) {
    const refusal = findRefusal(order, error);
    if (refusal) return refusal;
    absence = (error as Error).message;
  }

  const leadMs = readSystemClockLead();
  const end = async (isBrokenOff: boolean) => {
    const circumstances = {
      interface: order.interface,
      isBrokenOff,
      keepsTrace: limits.keepTraces,
      keepsConnections: false,
      visitTimes: [],
      localAddresses: [],
      firstPort: null,
    };
    spool.add(
      captureId,
      capture
        ? await endCapture(capture, { known: clock.known, leadMs }, circumstances)
        : { kind: 'absent', reason: absence },
    );
  };
  let ended: Promise<void> | null = null;
  return { end: ({ isBrokenOff }) => (ended ??= end(isBrokenOff)) };
}

async function start(
  { interface: name, filter, limits }: CaptureOrder,
  { file, controllerUrls }: { file: string; controllerUrls: readonly string[] },
): Promise<LiveCapture> {
  const withoutControl = buildCaptureFilter({ addresses: [], excluded: await findControlChannel(controllerUrls) });
  return startCapture({
    interface: name,
    filter: filter === '' ? withoutControl : `(${filter}) and ${withoutControl}`,
    file,
    // To and from this host; where it only passes packets on, they have no direction.
    localAddresses: readInterfaceAddresses().get(name) ?? [],
    snapBytes: limits.snapBytes,
    maximumFileBytes: limits.maxBytesPerPass,
  });
}

function findRefusal({ interface: name }: CaptureOrder, error: unknown): CaptureRefusal | null {
  if (error instanceof AppError && error.code === 'invalid-input')
    return { field: 'filter', problem: describeProblem(error) };
  const isKnownAbsent =
    process.platform === 'linux' && name !== 'any' && !existsSync(path.join('/sys/class/net', name));
  return isKnownAbsent ? { field: 'interface', problem: `this host has no interface "${name}"` } : null;
}
