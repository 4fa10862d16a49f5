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
 * Has some pages of its own loaded, so that the first Visit is like the others: by then all code was read, which another OS user may
 * not be allowed to, and the most of it was compiled.
 */
export async function warmUp(load: (url: string) => Promise<void>): Promise<void> {
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
