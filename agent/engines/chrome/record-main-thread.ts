import { setImmediate } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { unlessAborted } from '#core/waiting.ts';
import type { MainThreadRecording } from '../browser/browser-page.ts';
import type { NetworkRecorder } from './chrome-recorder.ts';
import { MainThreadSums } from './sum-main-thread.ts';
import { BrowserTraceReader } from './browser-trace-reader.ts';

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
