import { randomUUID } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOrder } from '#core/protocol/pass-order.ts';
import { findStoredCaptures } from '../captures/captures.ts';
import { AgentSilentError, askAgent } from './ask-agent.ts';
import type { RunContext } from './run-context.ts';
import { UploadWatch } from './collect-visits.ts';

const answerLimitMs = 30_000;
const captureLimitMs = 60_000;

/** A Capture that an Agent has made. `of`: its User Agent or Capture Point. */
interface AwaitedCapture {
  id: string;
  of: string;
  agent: string;
}

type Ordered = { order: CaptureOrder; agent: string };
type Refusal = NonNullable<Extract<AgentMessage, { type: 'capture-started' }>['refusal']>;
type Answer = { kind: 'started' } | { kind: 'silent' } | { kind: 'refused'; refusal: Refusal };

/** The order for every Capture Point in one Round; none where the Evaluation captures nothing. */
export function orderCaptures(
  { capture, capturePoints }: Evaluation,
  round: { id: string; endAfterMs: number },
): { order: CaptureOrder; agent: string }[] {
  if (!capture.enabled) return [];
  const { snapBytes, maxBytesPerPass, keepTraces } = capture;
  return capturePoints.map((point) => ({
    agent: point.host,
    order: {
      captureId: randomUUID(),
      roundId: round.id,
      capturePoint: point.name,
      interface: point.interface,
      filter: point.filter,
      limits: { snapBytes: point.snapBytes ?? snapBytes, maxBytesPerPass, keepTraces },
      endAfterMs: round.endAfterMs,
    },
  }));
}

/** The Captures at the Capture Points in one Round. Disposing of them before `end` ends them as those of a Round that was broken off. */
export interface PointCaptures extends AsyncDisposable {
  /** Those whose Agents answered, and will upload them. */
  started: readonly Ordered[];
  end(): Promise<void>;
}

/**
 * Has all of them captured. An Agent that does not answer costs the Round only its Capture. Throws `run-failed`, with the field of the
 * Evaluation, for an interface or a filter that can never be: another try would meet the same.
 */
export async function startPointCaptures(
  context: Pick<RunContext, 'hub' | 'run' | 'time' | 'log'>,
  ordered: readonly Ordered[],
): Promise<PointCaptures> {
  let isOver = false;
  const end = async (isBrokenOff: boolean) => {
    if (isOver) return;
    isOver = true;
    await Promise.all(ordered.map((each) => stop(context, each, isBrokenOff)));
  };
  const answered = await Promise.all(ordered.map(async (each) => ({ each, answer: await start(context, each) })));
  for (const { each, answer } of answered) {
    if (answer.kind !== 'refused') continue;
    await end(true);
    const { field, problem } = answer.refusal;
    const place = context.run.evaluation.capturePoints.findIndex(({ name }) => name === each.order.capturePoint);
    throw new AppError(
      'run-failed',
      `capturePoints[${place}].${field}: ${problem}. Correct the Evaluation and run it again`,
    );
  }
  const started = answered.filter(({ answer }) => answer.kind === 'started').map(({ each }) => each);
  return { started, end: () => end(false), [Symbol.asyncDispose]: () => end(true) };
}

async function start(
  { hub, time, log }: Pick<RunContext, 'hub' | 'time' | 'log'>,
  { order, agent }: Ordered,
): Promise<Answer> {
  const { captureId, capturePoint } = order;
  try {
    const { refusal } = await askAgent(hub, {
      agent,
      message: { type: 'start-capture', order },
      timeoutMs: answerLimitMs,
      sleep: time.sleep,
      readAnswer: (message) => (message.type === 'capture-started' && message.captureId === captureId ? message : null),
    });
    return refusal === null ? { kind: 'started' } : { kind: 'refused', refusal };
  } catch (error) {
    if (!(error instanceof AgentSilentError)) throw error;
    log.warn(`The Round continues without a Capture at "${capturePoint}": ${error.message}`);
    return { kind: 'silent' };
  }
}

/** An Agent that never gets the word ends the Capture at its next order, or at the limit of this one. */
async function stop(
  { hub, time, log }: Pick<RunContext, 'hub' | 'time' | 'log'>,
  { order, agent }: Ordered,
  isBrokenOff: boolean,
): Promise<void> {
  const { captureId, capturePoint } = order;
  try {
    await askAgent(hub, {
      agent,
      message: { type: 'stop-capture', captureId, isBrokenOff },
      timeoutMs: answerLimitMs,
      sleep: time.sleep,
      readAnswer: (message) => (message.type === 'capture-ended' && message.captureId === captureId ? message : null),
    });
  } catch (error) {
    if (!(error instanceof AgentSilentError)) throw error;
    log.warn(`Cannot end the Capture at "${capturePoint}": ${error.message}`);
  }
}

/**
 * Waits for the Captures of a Round, so that their upload does not fall into the next Round. A Round is complete without them: what does
 * not come in a minute may come after a later Round, or when its Agent connects again.
 */
export async function collectCaptures(context: RunContext, captures: readonly AwaitedCapture[]): Promise<void> {
  const { hub, store, signal, log, time } = context;
  const deadlineMs = time.clock() + captureLimitMs;
  using uploads = new UploadWatch(context);
  for (;;) {
    signal.throwIfAborted();
    const stored = await store((db) =>
      findStoredCaptures(
        db,
        captures.map(({ id }) => id),
      ),
    );
    const missing = captures.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return;
    if (time.clock() > deadlineMs) {
      log.warn(
        `The Captures of ${missing.map((capture) => capture.of).join(', ')} did not arrive within ${captureLimitMs / 1000} s: the Run continues without them`,
      );
      return;
    }
    for (const agent of new Set(missing.map((capture) => capture.agent))) hub.send(agent, { type: 'upload-visits' });
    await uploads.next();
  }
}
