import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { ConformanceEngine } from './conformance-engines.ts';
import { noIcon, servePages, type PageServer } from './serve-pages.ts';

const recordedEpochMs = Date.parse('2009-02-13T12:00:00Z');
/** Long enough for any load. */
const recordedHour = '2009-02-13T12';

/** What a document sees, in its title, as soon as it runs its first script. */
const report = (frames = '') => `<!doctype html><meta charset=utf-8>${noIcon}<script>
  const seen = {
    hour: new Date().toISOString().slice(0, 13),
    now: new Date(Date.now()).toISOString().slice(0, 13),
    text: Date().includes('2009') && Date(0).includes('2009'),
    isDate: new Date() instanceof Date && new Date().constructor === Date && new (class extends Date {})().constructor !== Date,
    given: [new Date(0).getTime(), Date.UTC(1970, 0), Date.length, Date.name, new Date('2020-02-02').getUTCFullYear()].join(),
    isNative: [Date, Date.now, Math.random, crypto.getRandomValues].every((each) => String(each).includes('[native code]')),
    isClockReal: new Date(performance.timeOrigin).getUTCFullYear() >= 2020,
    runsOn: (() => { const from = [Date.now(), performance.now()]; while (performance.now() < from[1] + 20); return Date.now() - from[0] >= 19; })(),
    random: [Math.random(), Math.random(), ...crypto.getRandomValues(new Uint16Array(3))].join(),
    error: (() => { try { return crypto.getRandomValues([1]); } catch ({ name }) { return name; } })(),
    parts: new Set(Array.from({ length: 1000 }, () => Math.floor(10 * Math.random()))).size,
  };
  document.title = JSON.stringify(seen);
</script>${frames}`;

const worker = `postMessage([new Date().toISOString().slice(0, 13), Math.random()].join())`;

/** What an engine gives the scripts of a page of a recorded Site: the date of the recording, and random numbers that are the same in each Visit. */
export function describeReplayedPage({ name, open }: ConformanceEngine, { hasWorkers }: { hasWorkers: boolean }): void {
  describe(`the engine ${name}`, () => {
    let session: EngineSession;
    let server: PageServer;
    beforeAll(async () => {
      let other = '';
      server = await servePages({
        '/': (response) =>
          void response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(report(`<iframe src="/inner"></iframe><iframe src="${other}/inner"></iframe>`)),
        '/inner': report(),
        '/worker': `${noIcon}<script>
          new Worker('/worker.js').onmessage = ({ data }) => { document.title = data; performance.mark('answered'); };
        </script>`,
        '/worker.js': (response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker),
      });
      other = server.otherUrl;
      session = await open({ pageLoad: { restMs: 0, quietMs: 200 } });
    });
    afterAll(async () => {
      await session[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    const load = async (path: string, about: { replay?: { recordedEpochMs: number }; untilMark?: string }) => {
      const outcome = await session.visit({
        url: `${server.url}${path}`,
        signal: new AbortController().signal,
        ...about,
      });
      if (outcome.status === 'failed') throw new Error(`${outcome.code}: ${outcome.detail}`);
      return outcome.snapshot.frames;
    };
    const seenBy = ({ title }: FrameSnapshot) => JSON.parse(title) as Record<string, unknown>;

    test('shows a replayed page and its frames the date of the recording, which runs on', async () => {
      const frames = await load('/', { replay: { recordedEpochMs } });
      expect(frames).toHaveLength(3);
      for (const frame of frames)
        expect(seenBy(frame)).toMatchObject({
          hour: recordedHour,
          now: recordedHour,
          text: true,
          isDate: true,
          given: '0,0,7,Date,2020',
          isNative: true,
          isClockReal: true,
          runsOn: true,
          error: 'TypeError',
          parts: 10,
        });
    });

    test('gives each document the same random numbers in each Visit, and other documents others', async () => {
      const visits = [
        await load('/', { replay: { recordedEpochMs } }),
        await load('/', { replay: { recordedEpochMs } }),
      ];
      const [first, second] = visits.map((frames) => frames.map((frame) => seenBy(frame).random));
      expect(second).toEqual(first);
      expect(new Set(first).size).toBe(3);
    });

    test('leaves a page that is not replayed as it is', async () => {
      const visits = [await load('/', {}), await load('/', {})];
      for (const frames of visits) expect(seenBy(frames[0]!).hour).not.toBe(recordedHour);
      expect(seenBy(visits[0]![0]!).random).not.toBe(seenBy(visits[1]![0]!).random);
    });

    if (!hasWorkers) return;
    test('does the same in workers', async () => {
      const visit = () => load('/worker', { replay: { recordedEpochMs }, untilMark: 'answered' });
      const [[first], [second]] = [await visit(), await visit()] as [FrameSnapshot[], FrameSnapshot[]];
      expect(first!.title).toMatch(new RegExp(`^${recordedHour},`));
      expect(second!.title).toBe(first!.title);
    });
  });
}
