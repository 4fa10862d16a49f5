import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { openSession } from './support/open-session.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';
import { takeSnapshot } from './support/visit-for-snapshot.ts';

const scripts = {
  'closes its tab': 'close(); open("", "_self").close()',
  'opens many windows': 'for (let i = 0; i < 20; i++) open("/calm")',
  'will not be left': 'onbeforeunload = () => "stay"',
  'asks for a person': 'alert(1); confirm(2); prompt(3)',
  'asks for rights':
    'Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0); navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => 0)',
  'leads to a file': 'location = "file:///etc/hostname"',
  'leads into the browser': 'location = "chrome://version"',
  'prints itself': 'print()',
};

let server: PageServer;
let session: EngineSession;
beforeAll(async () => {
  const pages = Object.entries(scripts).map(([name, script]): [string, string] => [
    `/${name.replaceAll(' ', '-')}`,
    `${noIcon}<title>${name}</title><script>${script}</script>`,
  ]);
  const mail = `${noIcon}<script>location = "mailto:someone@origin.test"</script>`;
  server = await servePages({ ...Object.fromEntries(pages), '/mail': mail, '/calm': `${noIcon}<title>calm</title>` });
  session = await openSession({ pageLoad: { restMs: 0, quietMs: 100 } });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test.each(Object.keys(scripts))('a page that %s settles as any other, and so does the next', async (name) => {
  const snapshot = await takeSnapshot(session, `${server.url}/${name.replaceAll(' ', '-')}`);
  expect(snapshot).toMatchObject({ settled: true, frames: [{ title: name }] });
  expect(await takeSnapshot(session, `${server.url}/calm`)).toMatchObject({
    settled: true,
    frames: [{ title: 'calm' }],
  });
});

test('a page that gives its requests and scripts names of any length is measured, and can be stored', async () => {
  const script = `fetch('/calm', { method: 'A'.repeat(65) }).catch(() => 0)\\n//# sourceURL=http://${'x'.repeat(70_000)}.test/`;
  await using names = await servePages({
    '/': `${noIcon}<link rel=prefetch href="data:,${'x'.repeat(70_000)}"><script>eval("${script}")</script>`,
  });
  const snapshot = await takeSnapshot(session, names.url);
  expect(SnapshotSchema.safeParse(snapshot).error).toBeUndefined();
  expect(snapshot.frames[0]!.prefetchUrls).toEqual([expect.stringMatching(/^data:,x{65530}$/)]);
  const { initiatorUrl, exchange } = snapshot.requests.at(-1)!;
  expect(initiatorUrl).toMatch(/^http:\/\/x{65529}$/);
  expect(exchange!.method).toBe('A'.repeat(64));
});

test('a page that leads to another program while it loads has no load event in a browser that cannot ask: it is not settled, and the next is', async () => {
  await using brief = await openSession({ pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 6000 } });
  expect(await takeSnapshot(brief, `${server.url}/mail`)).toMatchObject({ settled: false });
  expect(await takeSnapshot(brief, `${server.url}/calm`)).toMatchObject({ settled: true });
});
