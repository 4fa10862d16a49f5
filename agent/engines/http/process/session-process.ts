import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { HttpClient } from './http-client.ts';
import {
  SessionOptionsSchema,
  SessionOrderSchema,
  type SessionOptions,
  type SessionReport,
} from './session-messages.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { gzipSync } from 'node:zlib';

const pages: Record<string, { type: string; body: string }> = {
  '/': {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><link rel=stylesheet href=/style.css><title>Warm-up</title><div class=a style="background: url(/3)"></div>
<img src=/1 srcset="/1 1x, /2 2x" sizes="(min-width: 10px) 50vw"><iframe src=/frame></iframe><script src=/script></script>${'<p>Text</p>'.repeat(500)}`,
  },
  '/frame': { type: 'text/html', body: '<!doctype html><img src=/4>' },
  '/style.css': {
    type: 'text/css',
    body: '@media (min-width: 1px) { .a::before { background: url(/5) } } @font-face { font-family: F; src: url(/6) } p { font-family: F }',
  },
};

/**
 * One session of the http engine as a process of its own: it may be another OS user, whose packets the kernel keeps apart, and what a page makes it
 * work does not hold up the Agent. It lives until the process that started it ends it, or is gone.
 */
async function main(): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the Agent decides when the session ends.
  process.on('SIGINT', () => undefined);
  const options = SessionOptionsSchema.parse(JSON.parse(process.argv[2]!));
  try {
    await rehearse(options);
    if (options.osUser) becomeUser(options.osUser);
  } catch (error) {
    report({ kind: 'failed', problem: (error as Error).message }, () => process.exit(1));
    return;
  }
  const client = new HttpClient(options);
  process.on('message', (message) => {
    const { url } = SessionOrderSchema.parse(message);
    void client.visit(url).then((outcome) => report({ kind: 'visited', outcome }));
  });
  report({ kind: 'ready' });
}

/** With the settings of a browser that goes straight to its pages. */
async function rehearse({ pageLoad, userAgent }: SessionOptions): Promise<void> {
  const client = new HttpClient({
    pageLoad: { ...pageLoad, cache: 'cold' },
    browser: BrowserSettingsSchema.parse({}),
    userAgent,
    recordsHeaders: false,
    osUser: null,
  });
  await warmUp(async (url) => {
    const outcome = await client.visit(url);
    if (outcome.status === 'failed')
      throw new Error(`it cannot reach its own address 127.0.0.1 (${outcome.detail}): is the loopback interface up?`);
  });
}

function becomeUser({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups!([]);
  process.setgid!(gid);
  process.setuid!(uid);
}

function report(message: SessionReport, then?: () => void): void {
  process.send!(message, undefined, undefined, then);
}

await main();

/**
 * Has some pages of its own loaded, so that the first Visit is like the others: by then all code was read, which another OS user may
 * not be allowed to, and the most of it was compiled.
 */
async function warmUp(load: (url: string) => Promise<void>): Promise<void> {
  createSecureContext(); // reads the known authorities, which takes longer than a handshake
  const server = createServer((request, response) => {
    const { type, body } = pages[request.url ?? ''] ?? { type: 'image/png', body: 'x'.repeat(2000) };
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    for (let repetition = 0; repetition < 5; repetition++)
      await load(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
