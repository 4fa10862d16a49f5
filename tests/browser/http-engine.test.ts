import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { openHttpSession } from './support/open-http-session.ts';
import { openSession } from './support/open-session.ts';
import { noIcon } from './support/serve-pages.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

const quick = { restMs: 0, quietMs: 100 };

/** What a document of today has; nothing of it is brought in by a script, and all of it is used. */
const page = `<!doctype html><html><head><meta charset=utf-8><title>Everything</title>${noIcon}
<link rel=preload as=image href=/preloaded.png><link rel=prefetch href=/no/prefetched>
<link rel=stylesheet href=/a.css><link rel=stylesheet href=/print.css media=print><link rel=stylesheet type="text/css; charset=utf-8" href=/typed.css>
<link rel=preload as=image type=image/unheard-of href=/no/preload.png><link rel=preload as=font type=application/font-woff crossorigin href=/no/preload.woff>
<style media=print>@import "/print-imported.css"; .b { background: url(/no/print-style.png) }</style><style type=text/less>.b { background: url(/no/less.png) }</style>
<style>@import "/unsupported.css" supports(not (display: grid)); @layer x; .o { background: url(/no/overridden.png); background: url(/overriding.png); behavior: url(/no/behavior) }
@import "/no/imported-late.css"; @supports not (display: grid) { .o { cursor: url(/no/supports.png), auto } } p:focus, .f, x:host { color: red } .f:not(:focus-within), :host { background: url(/focus.png) }
.i { background: image-set("/no/set.png" type("image/unheard-of"), url(/set.png) type("image/png")) } .r { background: image-set(url(/96dpi.png) 96dpi, url(/no/192dpi.png) 192dpi) }</style>
<script src=/blocking.js></script><script async src=/async.js></script><script type=module src=/module.js></script><script nomodule src=/no/nomodule.js></script>
<style>@import "/imported.css"; .b { background: url(/style.png) } @media print { .b { background: url(/no/print.png) } } .none { background: url(/no/unused.png) }</style>
<base href="/base/">
</head><body>
<img src=plain.png><img src="/1x.png" srcset="/2x.png 2x"><img srcset="/w400.png 400w, /w800.png 800w, /w1600.png 1600w" sizes="(min-width: 1000px) 50vw, 100vw">
<picture><source media="(max-width: 100px)" srcset=/no/narrow.png><source type="image/x-unheard-of" srcset=/no/type.png><source srcset="/picture.png"><img src=/no/fallback.png></picture>
<svg width=10 height=10><image href=/svg.png width=10 height=10 /></svg><video poster=/poster.png preload=none><object data=/no/in-video.html></object></video><input type=image src=/button.png>
<p class=b style="border: 1px solid; list-style-image: url(/list.png)">Text</p><div style="background: url(/attribute.png)">x</div>
<p style="font-family: Page">Text in a font</p>
<template><img src=/no/template.png></template><noscript><img src=/no/noscript.png></noscript>
<div><template shadowrootmode=open><img src=/shadow.png></template></div>
<iframe src=/frame.html></iframe><iframe srcdoc="<img src=/srcdoc.png><img src=srcdoc.png>"></iframe><object data=/object.html><embed src=/no/in-object.html></object><embed src=/embed.html>
<iframe src=/late-meta.html></iframe><iframe src=/quirks.html></iframe><script src=" "></script><iframe src=" "></iframe><img src=" "><p class=o>x<p class=f>x<p class=i>x<p class=r>x
<table background=/table.png><tr background=/row.png><td background=/cell.png>x<img src=/in-table.png></table>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="file:///etc/hostname"><meta http-equiv=refresh content="600; url=/no/refreshed">
<p <b>malformed<img src=/late.png
></body></html>`;

const answers: Record<string, { type: string; body: string }> = {
  '/': { type: 'text/html; charset=utf-8', body: page },
  '/a.css': {
    type: 'text/css',
    body: '@import "sub/b.css" screen; @import "/c.css" print; @import "/unsupported.css" supports(not (display: grid)); @font-face { font-family: Page; src: url(/font.woff2) format("woff2") } @font-face { font-family: Unused; src: url(/no/font.woff2) } body::after { content: url(/after.png) }',
  },
  '/sub/b.css': { type: 'text/css', body: 'html { background: url(relative.png) }' },
  '/print.css': {
    type: 'text/css',
    body: '@import "/print-linked.css"; html { background: url(/no/print-sheet.png) }',
  },
  '/unsupported.css': { type: 'text/css', body: 'html { background: url(/no/unsupported.png) }' },
  '/typed.css': { type: 'text/css', body: '' },
  '/print-imported.css': { type: 'text/css', body: 'html { background: url(/no/print-imported.png) }' },
  '/print-linked.css': { type: 'text/css', body: 'html { background: url(/no/print-linked.png) }' },
  '/plain.css': { type: 'text/plain', body: 'p { background: url(/quirks.png) }' },
  '/quirks.html': { type: 'text/html', body: `${noIcon}<link rel=stylesheet href=/plain.css><p>x` },
  '/late-meta.html': {
    type: 'text/html',
    body: `<!doctype html><html><head>${noIcon}<!--${'x'.repeat(2000)}--><meta charset=windows-1251></head><img src=/é.png>`,
  },
  '/c.css': { type: 'text/css', body: 'html { background: url(/no/imported-print.png) }' },
  '/imported.css': { type: 'text/css', body: '' },
  '/frame.html': { type: 'text/html', body: `<!doctype html>${noIcon}<img src=/in-frame-é.png>` },
  '/object.html': { type: 'text/html', body: `<!doctype html>${noIcon}<img src=/in-object.png>` },
  '/embed.html': { type: 'text/html', body: `<!doctype html>${noIcon}<img src=/in-embed.png>` },
};

interface AskedServer extends AsyncDisposable {
  url: string;
  /** Takes what was asked for since the last time: each path once, sorted. */
  takeAsked: () => string[];
}

async function serveEverything(): Promise<AskedServer> {
  const asked = new Set<string>();
  const pixel = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  const server = createServer((request: IncomingMessage, response) => {
    asked.add(request.url!);
    const { type, body } =
      answers[request.url!] ??
      (request.url!.endsWith('.js') ? { type: 'text/javascript', body: '' } : { type: 'image/svg+xml', body: pixel });
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeAsked: () => {
      const paths = [...asked].sort();
      asked.clear();
      return paths;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('fetches of a page what Chromium fetches of it, and nothing else', async () => {
  await using server = await serveEverything();
  await using chrome = await openSession({ pageLoad: quick });
  await using http = await openHttpSession({ pageLoad: quick });
  await takeSnapshot(chrome, server.url);
  // A prefetch, which no metric counts, comes whenever Chromium has nothing better to do.
  const expected = server.takeAsked().filter((asked) => asked !== '/no/prefetched');
  await takeSnapshot(http, server.url);
  expect(server.takeAsked()).toEqual(expected);
  expect(expected.length).toBeGreaterThan(30);
  expect(expected.filter((asked) => asked.startsWith('/no/'))).toEqual([]);
});

test('a session ends with the process that opened it, also by kill -9', async () => {
  const holder = spawn(process.execPath, [path.join(import.meta.dirname, 'support/hold-http-session.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
  expect(isAlive(Number(line))).toBe(true);
  holder.kill('SIGKILL');
  await vi.waitUntil(() => !isAlive(Number(line)), { timeout: 30_000 });
});

test('a client that is killed during a Visit says so, and the next Visit has another one', async () => {
  await using server = await serveEverything();
  await using session = await openHttpSession({ pageLoad: quick });
  const first = session.processId;
  const outcome = await session.visit({
    url: server.url,
    signal: new AbortController().signal,
    onNavigate: () => process.kill(first!, 'SIGKILL'),
  });
  expect(outcome).toMatchObject({ status: 'failed', code: 'browser-crashed' });
  expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
  expect(session.processId).not.toBe(first);
});

test('a closed session loads nothing', async () => {
  const session: EngineSession = await openHttpSession({ pageLoad: quick });
  await session[Symbol.asyncDispose]();
  expect(session.processId).toBeNull();
  expect(await visit(session, 'http://127.0.0.1:9/')).toMatchObject({ status: 'failed', code: 'aborted' });
});

test.runIf(process.getuid?.() === 0)(
  'runs as the OS user of its settings, with nothing of the groups it had',
  async () => {
    await using server = await serveEverything();
    await using session = await openHttpSession({ pageLoad: quick, osUser: { uid: 20_321, gid: 20_321 } });
    expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
    const status = readFileSync(`/proc/${session.processId}/status`, 'utf8');
    expect(/^Uid:\s*(.*)$/m.exec(status)![1]!.split('\t')).toEqual(Array(4).fill('20321'));
    expect(/^Gid:\s*(.*)$/m.exec(status)![1]!.split('\t')).toEqual(Array(4).fill('20321'));
    expect(/^Groups:[\t ]*$/m.test(status)).toBe(true);
  },
);

/** A process that has ended is listed as a zombie until it is buried. */
function isAlive(processId: number): boolean {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return lines.some(([pid, state]) => Number(pid) === processId && !state!.startsWith('Z'));
}
