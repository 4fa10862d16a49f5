import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { AppError } from '#core/app-error.ts';
import { retryTransient } from '../db/connection/retry-transient.ts';
import { isOpen, readRunDetail } from './run-detail.ts';
import type { Services } from './services.ts';

const leastIntervalMs = 250;
/** A large Run takes long to read: each reading is followed by a rest this many times as long, because who watches must not disturb what is measured. */
const restRatio = 4;
/** Also how late a change is seen that another Controller made, and a connection kept that carries nothing. */
const longestSilenceMs = 10_000;

/**
 * Writes RunDetail documents as server-sent events: one at once, one after each change, at most four a second, until the
 * Run has ended, or `mayStill` throws an AppError, because who reads was signed out or removed since. A comment replaces a document that has not changed. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function streamRunEvents(
  services: Services,
  {
    runId,
    response,
    mayStill,
    signal,
  }: { runId: string; response: Response; mayStill: () => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const { log, runControl } = services;
  let change = Promise.withResolvers<void>();
  const stopListening = runControl.onRunChange((changedId) => {
    if (changedId === runId) change.resolve();
  });
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  try {
    let last = '';
    while (true) {
      change = Promise.withResolvers(); // before reading, so that a change during it is not missed
      const startedMs = performance.now();
      const detail = await retryTransient(() => readRunDetail(services, runId), { signal, log });
      if (!detail) break;
      const document = JSON.stringify(detail);
      const restMs = Math.max(leastIntervalMs, restRatio * (performance.now() - startedMs));
      const isTaken = response.write(document === last ? ': no change\n\n' : `data: ${document}\n\n`);
      last = document;
      if (!isOpen(detail)) break;
      if (!isTaken) await once(response, 'drain', { signal }); // nothing is kept for a reader that sleeps
      await pause(restMs, undefined, { signal });
      await untilChange(change.promise, signal);
      await mayStill();
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof AppError)) throw error;
  } finally {
    stopListening();
    response.end();
  }
}

/** Resolves at the change, or after the longest silence. Rejects when aborted. */
async function untilChange(change: Promise<void>, signal: AbortSignal): Promise<void> {
  const waited = new AbortController();
  try {
    await Promise.race([
      change,
      pause(longestSilenceMs, undefined, { signal: AbortSignal.any([signal, waited.signal]) }),
    ]);
  } finally {
    waited.abort();
  }
}
