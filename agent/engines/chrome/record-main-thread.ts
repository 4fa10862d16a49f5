import { setImmediate } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { isMainThreadEvent } from '#core/metrics/main-thread.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { MainThreadRecording } from '../browser/browser-page.ts';
import type { NetworkRecorder } from './chrome-recorder.ts';
import { BrowserTraceReader, type TraceEvent } from './browser-trace-reader.ts';

const answerWithinMs = 10_000;
/** Of a trace that nobody reads: a page is closed within the time that it may take. */
const unreadWithinMs = 3_000;
const pieceBytes = 1024 * 1024;

const settings: Protocol.Tracing.StartRequest = {
  transferMode: 'ReturnAsStream',
  traceConfig: {
    recordMode: 'recordUntilFull',
    traceBufferSizeInKb: 64 * 1024,
    excludedCategories: ['*'],
    // What the page's thread does, and its tasks.
    includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  },
};

/**
 * Records what the main thread of a page does, from now on until it is ended or `lost`. A browser makes one trace at a time, and loads one page at a time. Frames in
 * processes of their own are in the trace, and not in the sums.
 */
export async function recordMainThread(
  browser: CDPSession,
  { mainFrameId, recorder, lost }: { mainFrameId: string; recorder: NetworkRecorder; lost: AbortSignal },
): Promise<MainThreadRecording> {
  const complete = Promise.withResolvers<Protocol.Tracing.TracingCompleteEvent>();
  browser.once('Tracing.tracingComplete', complete.resolve);
  let isRecording = true;
  try {
    await browser.send('Tracing.start', settings);
  } catch (error) {
    browser.off('Tracing.tracingComplete', complete.resolve);
    // As where the trace of a Visit before could not be ended. The Visit itself needs none.
    const reason = `The trace could not be begun: ${(error as Error).message}`.slice(0, 1024);
    return { end: () => Promise.resolve({ kind: 'absent', reason }), [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  const stop = async (signal: AbortSignal): Promise<Protocol.Tracing.TracingCompleteEvent> => {
    isRecording = false;
    await unlessAborted(browser.send('Tracing.end'), signal);
    return unlessAborted(complete.promise, signal);
  };
  return {
    end: async ({ fromEpochMs, untilEpochMs }) => {
      const signal = AbortSignal.any([lost, AbortSignal.timeout(answerWithinMs)]);
      try {
        const { stream, dataLossOccurred } = await stop(signal);
        if (stream === undefined) return { kind: 'absent', reason: 'The browser gave no trace' };
        const sums = new MainThreadSums(mainFrameId);
        const excess = await readStream(browser, { stream, sums, signal });
        if (excess !== null) return { kind: 'absent', reason: excess };
        if (dataLossOccurred) return { kind: 'absent', reason: 'The browser lost a part of the trace' };
        const offsetMs = recorder.clockOffsetMs;
        if (offsetMs === null) return { kind: 'absent', reason: 'The page made no request that shows its clock' };
        const toUs = (epochMs: number) => (epochMs - offsetMs) * 1000;
        return sums.sum({ fromUs: toUs(fromEpochMs), untilUs: toUs(untilEpochMs) });
      } catch (error) {
        return { kind: 'absent', reason: `The trace could not be read: ${(error as Error).message}`.slice(0, 1024) };
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (!isRecording || lost.aborted) return;
      try {
        const signal = AbortSignal.any([lost, AbortSignal.timeout(unreadWithinMs)]);
        const { stream } = await stop(signal);
        if (stream !== undefined) await unlessAborted(browser.send('IO.close', { handle: stream }), signal);
      } catch {
        // The browser is gone, or is ended because it does not answer.
      }
    },
  };
}

/** Why it was not read to its end; null where it was. */
async function readStream(
  browser: CDPSession,
  { stream, sums, signal }: { stream: string; sums: MainThreadSums; signal: AbortSignal },
): Promise<string | null> {
  const reader = new BrowserTraceReader((event) => sums.add(event));
  const decoder = new TextDecoder();
  try {
    for (let isOver = false; !isOver && reader.excess === null;) {
      const piece = await unlessAborted(browser.send('IO.read', { handle: stream, size: pieceBytes }), signal);
      const { data, base64Encoded = false, eof } = piece;
      reader.push(base64Encoded ? decoder.decode(Buffer.from(data, 'base64'), { stream: true }) : data);
      isOver = eof;
      // Other Passes of this Agent have their turn.
      await setImmediate();
    }
    return reader.excess;
  } finally {
    await unlessAborted(browser.send('IO.close', { handle: stream }), signal);
  }
}

type MainThread = NonNullable<Snapshot['mainThread']>;

/** A stretch of a thread under one name. */
interface Stretch {
  name: string;
  startUs: number;
  endUs: number;
  cpuUs: number;
}

interface OpenStretch extends Stretch {
  /** Of those within it. */
  innerUs: number;
}

/** Keeps of a trace what the time of a page's main thread is made of, and sums it up. */
export class MainThreadSums {
  readonly #mainFrameId: string;
  /** By thread: of all, until the trace has said which of them had the page. */
  readonly #stretches = new Map<string, Stretch[]>();
  readonly #begun = new Map<string, TraceEvent[]>();
  readonly #lastUs = new Map<string, number>();
  /** Those that had the page: more than one where it moved to another process, as to another site. */
  readonly #threads = new Set<string>();

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
  }

  add(event: TraceEvent): void {
    const { name, ph, pid, tid, ts, args } = event;
    const key = `${pid} ${tid}`;
    if (name === 'CommitLoad' && readFrame(args) === this.#mainFrameId) this.#threads.add(key);
    this.#lastUs.set(key, Math.max(this.#lastUs.get(key) ?? 0, ts + (event.dur ?? 0)));
    if (!isMainThreadEvent(name)) return;
    if (ph === 'X') this.#keep(key, event, { durationUs: event.dur ?? 0, cpuUs: event.tdur ?? event.dur ?? 0 });
    else if (ph === 'B') this.#begun.set(key, [...(this.#begun.get(key) ?? []), event]);
    else if (ph === 'E') {
      const begun = this.#begun.get(key)?.pop();
      if (begun) this.#keep(key, begun, { durationUs: ts - begun.ts, cpuUs: ts - begun.ts });
    }
  }

  /** The time of each kind of event between two instants of the trace's clock, without that of the events within it. */
  sum({ fromUs, untilUs }: { fromUs: number; untilUs: number }): MainThread {
    const threads = [...this.#threads];
    if (threads.length === 0) return { kind: 'absent', reason: 'The trace has no main thread of the page' };
    // Reading the page out comes after: a trace that has nothing of it has lost its end.
    if (!threads.some((key) => (this.#lastUs.get(key) ?? 0) >= untilUs))
      return { kind: 'absent', reason: 'The trace ends before the page had settled' };
    const sums = new Map<string, number>();
    for (const key of threads)
      for (const { name, selfUs } of listSelfTimes(this.#stretches.get(key) ?? [], { fromUs, untilUs }))
        sums.set(name, (sums.get(name) ?? 0) + selfUs);
    const events = [...sums].map(([name, us]) => ({ name, cpuMs: Math.round(us) / 1000 }));
    return { kind: 'recorded', events: events.filter(({ cpuMs }) => cpuMs > 0) };
  }

  #keep(key: string, { name, ts }: TraceEvent, { durationUs, cpuUs }: { durationUs: number; cpuUs: number }): void {
    const stretches = this.#stretches.get(key) ?? [];
    this.#stretches.set(key, stretches);
    stretches.push({ name, startUs: ts, endUs: ts + durationUs, cpuUs });
  }
}

/** Which frame an event is of; undefined of one that names none. */
function readFrame(args: TraceEvent['args']): unknown {
  const data = args?.['data'];
  return typeof data === 'object' && data !== null && 'frame' in data ? data.frame : undefined;
}

/** Stretches of one thread lie within each other or beside each other. What an end of the interval cuts counts by its part inside. */
function listSelfTimes(
  stretches: readonly Stretch[],
  { fromUs, untilUs }: { fromUs: number; untilUs: number },
): { name: string; selfUs: number }[] {
  const times: { name: string; selfUs: number }[] = [];
  const open: OpenStretch[] = [];
  const close = () => {
    const { name, cpuUs, innerUs } = open.pop()!;
    times.push({ name, selfUs: Math.max(0, cpuUs - innerUs) });
    const around = open.at(-1);
    if (around) around.innerUs += cpuUs;
  };
  const inOrder = stretches.toSorted((one, other) => one.startUs - other.startUs || other.endUs - one.endUs);
  for (const stretch of inOrder) {
    const [startUs, endUs] = [Math.max(fromUs, stretch.startUs), Math.min(untilUs, stretch.endUs)];
    if (endUs <= startUs) continue;
    while (open.length > 0 && open.at(-1)!.endUs <= stretch.startUs) close();
    const share = (endUs - startUs) / (stretch.endUs - stretch.startUs);
    open.push({ ...stretch, cpuUs: stretch.cpuUs * share, innerUs: 0 });
  }
  while (open.length > 0) close();
  return times;
}
