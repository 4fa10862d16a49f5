import type { Logger } from 'pino';
import { readMostBytes, type AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import type { CaptureSpool, SpooledCapture } from './capture-spool.ts';

interface UploaderOptions {
  /** Uploads its trace, where that is to be kept, and reports what the Controller is to store. */
  complete: (waiting: { captureId: string; capture: SpooledCapture }, signal: AbortSignal) => Promise<CaptureOutcome>;
  send: (message: AgentMessage) => void;
  mustWait: () => boolean;
  log: Logger;
}

/**
 * Uploads what is spooled, one Capture after the other. `mustWait` is asked before each, and `pause` breaks one off: it neither shares a
 * link nor a processor with a measurement. What failed or was broken off begins again at the next call of `uploadNext`.
 */
export class CaptureUploader {
  readonly #spool: CaptureSpool;
  readonly #options: UploaderOptions;
  #transfer: AbortController | null = null;
  #awaited: string | null = null;

  constructor(spool: CaptureSpool, options: UploaderOptions) {
    this.#spool = spool;
    this.#options = options;
  }

  uploadNext(): void {
    if (this.#transfer !== null || this.#awaited !== null || this.#options.mustWait()) return;
    const waiting = this.#spool.oldest();
    if (waiting !== null) void this.#upload(waiting);
  }

  pause(): void {
    this.#transfer?.abort(new Error('A Pass is to be measured'));
  }

  handleStored(captureId: string): void {
    this.#spool.forget(captureId);
    this.#settle(captureId);
  }

  handleRefused(captureId: string, reason: string): void {
    this.#options.log.error(
      { captureId },
      `The Controller refused a Capture (${reason}); it is set aside in the spool`,
    );
    this.#spool.setAside(captureId, reason);
    this.#settle(captureId);
  }

  /** The Controller does not have its trace. Not uploaded again at once, as what is in the way may last. */
  handleWanted(captureId: string): void {
    this.#options.log.warn(
      { captureId },
      'The Controller does not have the trace of a Capture; both are uploaded again at its next order',
    );
    if (this.#awaited === captureId) this.#awaited = null;
  }

  /** The line broke: what was on its way is sent again. A Capture that did arrive is recognised by its id. */
  handleDisconnect(): void {
    this.pause();
    this.#awaited = null;
  }

  async #upload(waiting: { captureId: string; capture: SpooledCapture }): Promise<void> {
    const transfer = new AbortController();
    this.#transfer = transfer;
    try {
      const outcome = await this.#options.complete(waiting, transfer.signal);
      transfer.signal.throwIfAborted();
      this.#awaited = waiting.captureId;
      this.#options.send(toMessage(waiting.captureId, outcome));
    } catch (error) {
      if (!transfer.signal.aborted)
        this.#options.log.warn(
          { err: error, captureId: waiting.captureId },
          'A Capture could not be uploaded; it stays in the spool',
        );
    } finally {
      this.#transfer = null;
    }
  }

  #settle(captureId: string): void {
    if (this.#awaited === captureId) this.#awaited = null;
    this.uploadNext();
  }
}

/** Without the details of the last connections, where all of them are more than a message may have: the Controller would refuse it for good. */
export function toMessage(captureId: string, outcome: CaptureOutcome): Extract<AgentMessage, { type: 'capture' }> {
  const message = { type: 'capture' as const, capture: { captureId, outcome } };
  if (outcome.kind !== 'captured' || Buffer.byteLength(JSON.stringify(message)) <= readMostBytes('capture'))
    return message;
  const { connections, udpFlows } = outcome.statistics;
  if (connections.length + udpFlows.length === 0) return message;
  const kept = {
    connections: connections.slice(0, Math.floor(connections.length / 2)),
    udpFlows: udpFlows.slice(0, Math.floor(udpFlows.length / 2)),
  };
  return toMessage(captureId, { ...outcome, statistics: { ...outcome.statistics, ...kept } });
}
