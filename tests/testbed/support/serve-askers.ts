import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that lists where requests come from: `/page?user=NAME` is a page with ten images, `/askers` who asked, from which address, how often. Prints its port. */
const counts: Record<string, Record<string, number>> = {};
const imageCount = 10;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://origin');
  if (pathname === '/askers') return void response.end(JSON.stringify(counts));
  const user = searchParams.get('user') ?? 'nobody';
  const ofUser = (counts[user] ??= {});
  const address = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  ofUser[address] = (ofUser[address] ?? 0) + 1;
  const images = Array.from(
    { length: imageCount },
    (_, index) => `<img src="/image?number=${index}&user=${user}">`,
  ).join('');
  const [type, body] =
    pathname === '/page'
      ? ['text/html', `<link rel=icon href="data:,">${images}`]
      : ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'];
  response.setHeader('content-type', type).end(body);
});
server.listen(0, '::', () => console.log((server.address() as AddressInfo).port));
