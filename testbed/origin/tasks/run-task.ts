import type { taskMarks } from '#core/evaluation/pages/page-mark.ts';
import type { TaskMessage, TaskOptions } from './task.ts';

/** What the page is given. */
export interface PageTask extends TaskOptions {
  /** Where its requests go, without the last part. */
  path: string;
  instantsMs: readonly number[];
  marks: typeof taskMarks;
}

/**
 * Runs a task in its page, and marks what happens by User Timing. It is sent to the page as text, so it uses only what the page has.
 * The latency of a message is: of a server update, from when it arose to its receipt, on the origin's clock; of a client update, until its
 * acknowledgement; of a chat, until the reply.
 */
export async function runTask(task: PageTask): Promise<void> {
  const { path, by, messages, instantsMs, marks } = task;
  const isFromServer = task.task === 'server-update';
  /** A message that takes longer is lost. */
  const lostAfterMs = 30_000;
  const over = new AbortController();
  const received = new Set<number>();
  const sentAtMs = new Map<number, number>();
  /** What `performance.now()` shows when the origin's clock shows 0. */
  let originAtMs = 0;
  let lastMs = 0;
  const allReceived = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<never>();

  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const ask = async (name: string, options: RequestInit = {}): Promise<Response> => {
    const answer = await fetch(`${path}/${name}`, { cache: 'no-store', ...options });
    if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
    return answer;
  };

  /** By the fastest of some round trips, half of which is taken for each way. */
  const readOriginClock = async (): Promise<void> => {
    let leastMs = Infinity;
    for (let trial = 0; trial < 5; trial++) {
      const startMs = performance.now();
      const { epochMs } = (await (await ask('clock')).json()) as { epochMs: number };
      const tookMs = performance.now() - startMs;
      if (tookMs >= leastMs) continue;
      leastMs = tookMs;
      originAtMs = startMs + tookMs / 2 - epochMs;
    }
  };

  const note = (number: number, startMs: number): void => {
    if (received.has(number)) return;
    received.add(number);
    lastMs = performance.now();
    performance.measure(marks.message, { start: Math.max(0, startMs), end: lastMs, detail: number });
    if (received.size === messages) allReceived.resolve();
  };
  const noteMessage = ({ number, arisenEpochMs }: TaskMessage): void => {
    const startMs = isFromServer ? originAtMs + arisenEpochMs : sentAtMs.get(number);
    if (startMs !== undefined) note(number, startMs);
  };

  const poll = async (): Promise<void> => {
    let count = 0;
    while (received.size < messages && !over.signal.aborted) {
      const batch = (await (await ask(`poll?after=${count}`, { signal: over.signal })).json()) as TaskMessage[];
      batch.forEach(noteMessage);
      count += batch.length;
    }
  };
  const openEvents = (): Promise<void> => {
    const events = new EventSource(`${path}/events`);
    over.signal.addEventListener('abort', () => events.close());
    events.onmessage = ({ data }) => noteMessage(JSON.parse(data as string) as TaskMessage);
    return new Promise((resolve, reject) => {
      events.onopen = () => resolve();
      events.onerror = () => {
        if (events.readyState !== EventSource.CLOSED) return;
        const error = new Error('The event stream was refused');
        reject(error);
        broken.reject(error);
      };
    });
  };
  const openSocket = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}/socket`);
    over.signal.addEventListener('abort', () => socket.close());
    socket.onmessage = ({ data }) => noteMessage(JSON.parse(data as string) as TaskMessage);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onclose = ({ code }) => {
        if (over.signal.aborted) return;
        const error = new Error(`The WebSocket was refused or closed (${code})`);
        reject(error);
        broken.reject(error);
      };
    });
    return socket;
  };

  const exchange = async (): Promise<void> => {
    const listens = task.task !== 'client-update';
    const socket = by === 'websocket' ? await openSocket() : null;
    if (by === 'sse' && listens) await openEvents();
    if (by === 'long-polling' && listens) poll().catch(broken.reject);
    const startMs = performance.now();
    if (isFromServer) {
      await sleep(instantsMs.at(-1)!);
      return;
    }
    const post = async (body: string, number: number): Promise<void> => {
      await ask('send', { method: 'POST', body, signal: over.signal });
      if (task.task === 'client-update') note(number, sentAtMs.get(number)!);
    };
    const payload = 'x'.repeat(task.payloadBytes);
    for (const [index, instantMs] of instantsMs.entries()) {
      await sleep(Math.max(0, startMs + instantMs - performance.now()));
      const number = index + 1;
      const text = JSON.stringify({ number, payload });
      sentAtMs.set(number, performance.now());
      if (socket) socket.send(text);
      else post(text, number).catch(broken.reject);
    }
  };

  const run = async (): Promise<void> => {
    if (document.readyState !== 'complete')
      await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
    await sleep(0);
    if (isFromServer) await readOriginClock();
    performance.mark(marks.lateAfter, { detail: task.lateAfterMs });
    performance.mark(marks.begin);
    lastMs = performance.now();
    await exchange();
    await Promise.race([allReceived.promise, sleep(lostAfterMs)]);
    for (let lost = received.size; lost < messages; lost++) performance.mark(marks.lost);
    // Else it would have ended as it began.
    if (received.size === 0) lastMs = performance.now();
    const { bytes } = (await (await ask('bytes')).json()) as { bytes: number };
    performance.mark(marks.bytes, { detail: bytes });
  };

  broken.promise.catch(() => undefined);
  try {
    await Promise.race([run(), broken.promise]);
    over.abort();
    performance.mark(marks.end, { startTime: lastMs });
  } catch (error) {
    over.abort();
    performance.mark(marks.failed, { detail: String(error).slice(0, 1000) });
  }
}
