import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PageServer extends AsyncDisposable {
  url: string;
  /** The same server under another host name: another site. */
  otherUrl: string;
}

/** What a path answers: HTML as it is, or a function that answers itself. */
export type Pages = Record<string, string | ((response: ServerResponse) => void)>;

/** A server of small pages for one test; what it does not have is a 404. */
export async function servePages(pages: Pages): Promise<PageServer> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://localhost').pathname];
    if (typeof page === 'function') return page(response);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Keeps the browser from asking for an icon. */
export const noIcon = '<link rel=icon href="data:,">';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function sendPixel(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
}
