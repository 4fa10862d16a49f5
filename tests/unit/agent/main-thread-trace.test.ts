import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BrowserTraceReader, type TraceEvent } from '#agent/engines/chrome/browser-trace-reader.ts';
import { MainThreadSums } from '#agent/engines/chrome/record-main-thread.ts';

const page = { pid: 7, tid: 1 };
const name = (event: Partial<TraceEvent> & { name: string }): TraceEvent => ({ ph: 'X', ts: 0, ...page, ...event });
/** A document of a frame comes to a thread. */
const commit = (pid: number, frame = 'main'): TraceEvent =>
  name({ name: 'CommitLoad', pid, args: { data: { frame } } });
/** What reading the page out leaves. */
const readOut = name({ name: 'RunTask', ts: 2_000_000, dur: 100, tdur: 100 });
const ofPage = [commit(7), readOut];

/** In ms by name; or why there is none. */
function sumOf(
  events: readonly TraceEvent[],
  interval = { fromUs: 0, untilUs: 1_000_000 },
): Record<string, number> | string {
  const sums = new MainThreadSums('main');
  for (const event of events) sums.add(event);
  const summed = sums.sum(interval);
  if (summed.kind === 'absent') return summed.reason;
  return Object.fromEntries(summed.events.map(({ name: of, cpuMs }) => [of, cpuMs]));
}

test('each kind of event has its time without that of the events within it, in any order of the trace', () => {
  const events = [
    name({ name: 'Layout', ts: 30_000, dur: 20_000 }),
    name({ name: 'RunTask', ts: 0, dur: 100_000 }),
    name({ name: 'FunctionCall', ts: 10_000, dur: 60_000 }),
    // Of no part of its own: it counts for the script around it.
    name({ name: 'V8.StackGuard', ts: 12_000, dur: 10_000 }),
    name({ name: 'MinorGC', ts: 13_000, dur: 5_000 }),
    name({ name: 'RunTask', ts: 200_000, dur: 1_000 }),
  ];
  expect(sumOf([...events, ...ofPage])).toEqual({ Layout: 20, MinorGC: 5, FunctionCall: 35, RunTask: 41 });
});

test('time that the thread had no processor for is not counted', () => {
  const events = [
    name({ name: 'RunTask', ts: 0, dur: 100_000, tdur: 60_000 }),
    name({ name: 'EvaluateScript', ts: 1_000, dur: 90_000, tdur: 55_000 }),
  ];
  expect(sumOf([...events, ...ofPage])).toEqual({ EvaluateScript: 55, RunTask: 5 });
});

test('a task that an end of the Visit cuts counts with its part inside', () => {
  const events = [
    name({ name: 'RunTask', ts: 0, dur: 100_000 }),
    name({ name: 'Paint', ts: 50_000, dur: 50_000 }),
    name({ name: 'RunTask', ts: 150_000, dur: 100_000 }),
  ];
  expect(sumOf([...events, ...ofPage], { fromUs: 60_000, untilUs: 200_000 })).toEqual({ Paint: 40, RunTask: 50 });
});

test('begun and ended events are stretches too', () => {
  const events = [
    name({ name: 'RunTask', ph: 'B', ts: 0 }),
    name({ name: 'ParseHTML', ph: 'B', ts: 10_000 }),
    name({ name: 'ParseHTML', ph: 'E', ts: 40_000 }),
    name({ name: 'RunTask', ph: 'E', ts: 50_000 }),
  ];
  expect(sumOf([...events, ...ofPage])).toEqual({ ParseHTML: 30, RunTask: 20 });
});

test('other threads, other processes and frames in processes of their own are not the page', () => {
  const events = [
    name({ name: 'RunTask', ts: 0, dur: 10_000 }),
    name({ name: 'RunTask', tid: 2, ts: 0, dur: 20_000 }),
    name({ name: 'RunTask', pid: 8, ts: 0, dur: 40_000 }),
    commit(8, 'frame of another site'),
  ];
  expect(sumOf([...events, ...ofPage])).toEqual({ RunTask: 10 });
});

test('a page that moves to another process has the time of both', () => {
  const events = [
    name({ name: 'RunTask', ts: 0, dur: 10_000 }),
    name({ name: 'RunTask', pid: 9, ts: 20_000, dur: 5_000 }),
    commit(9),
  ];
  expect(sumOf([...events, ...ofPage])).toEqual({ RunTask: 15 });
});

test('a trace without the page, or without its end, is absent', () => {
  expect(sumOf([name({ name: 'RunTask', dur: 10 })])).toBe('The trace has no main thread of the page');
  expect(sumOf([commit(7), name({ name: 'RunTask', dur: 900_000 })])).toBe(
    'The trace ends before the page had settled',
  );
});

test('the parts of a task sum to it, however they are nested', () => {
  const stretch = fc.tuple(fc.constantFrom('Layout', 'Paint', 'FunctionCall', 'unknown'), fc.nat(99), fc.nat(99));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 8 }), (cuts) => {
      // Each within the one before.
      let [startUs, endUs] = [1000, 1_000_000];
      const nested = cuts.map(([of, from, to]) => {
        const widthUs = endUs - startUs;
        startUs += Math.floor((widthUs * from) / 400);
        endUs -= Math.floor((widthUs * to) / 400);
        return name({ name: of, ts: startUs, dur: endUs - startUs });
      });
      const sums = sumOf([...nested, name({ name: 'RunTask', ts: 1000, dur: 999_000 }), ...ofPage], {
        fromUs: 0,
        untilUs: 1_500_000,
      });
      expect(
        Object.values(sums)
          .map(Number)
          .reduce((sum, ms) => sum + ms, 0),
      ).toBeCloseTo(999, 2);
    }),
  );
});

const written = (events: readonly object[]) =>
  `{"traceEvents":[${events.map((event) => JSON.stringify(event)).join(',\n')}],"metadata":{"os":{"name":"x"}}}`;

test('a trace is read alike in all pieces that it may come in, with braces and quotes in its texts', () => {
  const events = [
    name({ name: 'RunTask', ts: 1, dur: 2 }),
    name({ name: 'EvaluateScript', ts: 3, args: { data: { url: 'http://origin.test/{"a":\\"}"}', deep: [{}] } } }),
    commit(7),
  ];
  const text = written(events);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 6 }), (cuts) => {
      const read: TraceEvent[] = [];
      const reader = new BrowserTraceReader((event) => read.push(event));
      const ends = [...cuts.sort((one, other) => one - other), text.length];
      ends.forEach((end, index) => reader.push(text.slice(ends[index - 1] ?? 0, end)));
      expect(read).toEqual(events);
      expect(reader.excess).toBeNull();
    }),
  );
});

test('a trace that is too large is read no further, and says so', () => {
  const limits = { bytes: 2000, events: 5, charactersOfEvent: 500 };
  const read = (text: string) => {
    let count = 0;
    const reader = new BrowserTraceReader(() => count++, limits);
    reader.push(text);
    return { count, excess: reader.excess };
  };
  const small = name({ name: 'RunTask' });
  expect(read(written(Array.from({ length: 9 }, () => small)))).toEqual({
    count: 6,
    excess: 'Its trace has more than 5 events',
  });
  expect(read(written([{ ...small, args: { text: 'x'.repeat(900) } }]).slice(0, 700)).excess).toBe(
    'Its trace has an event that is too long',
  );
  expect(read(' '.repeat(2001)).excess).toBe('Its trace has more than 0 MiB');
  expect(() => read('{"traceEvents":[{"name":}]}')).toThrow();
});
