import { expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { mainThread } from '#core/metrics/main-thread.ts';
import { judgeTime } from '../support/judge-time.ts';
import { openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';

const openRecording = () =>
  openSession({ recordsMainThread: true, pageLoad: { restMs: 100, quietMs: 300, timeoutMs: 20_000 } });

/** Of one Visit, in ms. */
async function read(session: EngineSession, url: string): Promise<Record<string, number>> {
  const outcome = await session.visit({ url, signal: new AbortController().signal });
  if (outcome.status !== 'ok') throw new Error(`${outcome.code}: ${outcome.detail}`);
  const { snapshot } = outcome;
  if (snapshot.mainThread?.kind !== 'recorded') throw new Error(JSON.stringify(snapshot.mainThread));
  const readings = deriveReadings(snapshot).flatMap((reading) =>
    reading.kind === 'measured' ? [[reading.metric, reading.value] as const] : [],
  );
  const spinMs = snapshot.frames[0]!.userTimings?.find(({ name }) => name === 'spin')?.duration;
  return { ...Object.fromEntries(readings), ...(spinMs !== undefined && { spinMs }) };
}

const html = (body: string) => `<!doctype html>${noIcon}<title>x</title>${body}`;
/** After the first paint, so that it blocks. */
const spinning = (ms: number) => `<p>text</p><script>
  requestAnimationFrame(() => setTimeout(() => {
    performance.mark('began');
    const end = performance.now() + ${ms};
    while (performance.now() < end);
    performance.measure('spin', 'began');
  }, 50));
</script>`;
/** Each read of a height lays out what was changed before it. */
const layingOut = `<div id="box" style="width:300px">${'<span>word </span>'.repeat(3000)}</div><script>
  const box = document.getElementById('box');
  for (let width = 300; width < 380; width += 2) { box.style.width = width + 'px'; box.offsetHeight; }
</script>`;
/** A change of colour moves nothing, and paints all of it again. */
const painting = `<style>p { margin: 0; text-shadow: 1px 1px 2px red; box-shadow: 0 0 3px blue }</style>
<div id="all">${'<p>word word word word word word word word</p>'.repeat(1500)}</div><script>
  let left = 20;
  const all = document.getElementById('all');
  requestAnimationFrame(function next() {
    all.style.backgroundColor = 'rgb(0, ' + left * 5 + ', 0)';
    for (const each of all.children) each.style.outline = left % 2 ? '1px solid green' : '1px solid red';
    if (--left > 0) requestAnimationFrame(next);
  });
</script>`;

test('a script, a layout and a paint each have their time where they belong', async (context) => {
  await using server = await servePages({
    '/plain': html('<p>text</p>'),
    '/spin': html(spinning(80)),
    '/layout': html(layingOut),
    '/paint': html(painting),
  });
  await using session = await openRecording();
  await judgeTime(context, {
    measure: async () => {
      const [plain, layout, paint, ...spins] = [
        await read(session, `${server.url}/plain`),
        await read(session, `${server.url}/layout`),
        await read(session, `${server.url}/paint`),
        await read(session, `${server.url}/spin`),
        await read(session, `${server.url}/spin`),
        await read(session, `${server.url}/spin`),
      ];
      // A processor that others have for a moment makes a spin of 80 ms less work, and never more.
      const spin = spins.reduce((most, each) => (each['scriptingMs']! > most['scriptingMs']! ? each : most));
      for (const page of [plain, layout, paint, ...spins]) {
        const parts = Object.keys(mainThread).filter((metric) => metric !== 'mainThreadMs');
        expect(parts.reduce((sum, part) => sum + page[part]!, 0)).toBeCloseTo(page['mainThreadMs']!, 6);
      }
      expect(spin['scriptingMs']!).toBeGreaterThan(spin['layoutMs']! + spin['paintMs']!);
      expect(layout['layoutMs']!).toBeGreaterThan(layout['scriptingMs']! + layout['paintMs']!);
      expect(paint['paintMs']!).toBeGreaterThan(5 * plain['paintMs']!);
      return { plain, spin };
    },
    holds: ({ plain, spin }) => {
      // The page's own clock has what waits for a processor, too.
      expect(spin['spinMs']!).toBeGreaterThanOrEqual(80);
      expect(spin['scriptingMs']!).toBeGreaterThan(75);
      expect(spin['scriptingMs']!).toBeLessThan(spin['spinMs']! + plain['scriptingMs']! + 15);
      // Of a task of 80 ms, 30 ms exceed what a user does not notice.
      expect(spin['totalBlockingMs']!).toBeGreaterThanOrEqual(29);
      expect(spin['mainThreadMs']!).toBeGreaterThan(spin['totalBlockingMs']! + 45);
    },
  });
});

test('a frame of the same site is on the page’s thread, and one of another site is not', async () => {
  const pages: Record<string, string> = { '/frame': html(spinning(400)) };
  await using server = await servePages(pages);
  pages['/same'] = html(`<iframe src="${server.url}/frame"></iframe>`);
  pages['/other'] = html(`<iframe src="${server.otherUrl}/frame"></iframe>`);
  await using session = await openRecording();
  const [same, other] = [await read(session, `${server.url}/same`), await read(session, `${server.url}/other`)];
  expect(same['scriptingMs']!).toBeGreaterThan(3 * other['scriptingMs']!);
});

test('a page whose script never ends costs no later Visit its record', async () => {
  await using server = await servePages({
    '/plain': html('<p>text</p>'),
    '/stuck': html('<p>text</p><script>setTimeout(() => { while (true); }, 0)</script>'),
  });
  await using session = await openSession({
    recordsMainThread: true,
    pageLoad: { restMs: 0, quietMs: 200, timeoutMs: 2000 },
  });
  const stuck = await session.visit({ url: `${server.url}/stuck`, signal: new AbortController().signal });
  expect(stuck.status).toBe('failed');
  expect((await read(session, `${server.url}/plain`))['mainThreadMs']!).toBeGreaterThan(0);
});

test('each Visit has a trace of its own, also after one that failed; and without being asked for there is none', async () => {
  await using server = await servePages({ '/plain': html('<p>text</p>') });
  await using session = await openRecording();
  await read(session, `${server.url}/plain`);
  const failed = await session.visit({ url: 'http://127.0.0.1:9/', signal: new AbortController().signal });
  expect(failed.status).toBe('failed');
  expect((await read(session, `${server.url}/plain`))['mainThreadMs']!).toBeGreaterThan(0);
  await using plain = await openSession({ pageLoad: { restMs: 0, quietMs: 100 } });
  const outcome = await plain.visit({ url: `${server.url}/plain`, signal: new AbortController().signal });
  expect(outcome.snapshot).not.toHaveProperty('mainThread');
});
