import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noIcon } from './serve-pages.ts';

export interface CountedPages extends AsyncDisposable {
  url: string;
  /** How often each page was asked for. */
  counts: ReadonlyMap<number, number>;
}

/** A server of `/page/0`, `/page/1` and so on; `onFirst` is called, and waited for, when a page is asked for the first time, before it is answered. */
export async function serveCountedPages(onFirst: (page: number) => Promise<void> | void): Promise<CountedPages> {
  const counts = new Map<number, number>();
  const server = createServer((request, response) => {
    const page = Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1]);
    if (Number.isNaN(page)) {
      response.writeHead(404).end();
      return;
    }
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    const noticed = count === 1 ? Promise.resolve(onFirst(page)) : Promise.resolve();
    // A browser that was killed meanwhile is not there for the answer.
    noticed.then(
      () => response.writeHead(200, { 'content-type': 'text/html' }).end(`${noIcon}<title>${page}</title>Page ${page}`),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
