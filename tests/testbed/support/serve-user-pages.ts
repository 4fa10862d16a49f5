import { createServer } from 'node:http';
import { imagePaths, makeContent } from './user-pages.ts';

/** A server on this address with a page and images that differ by the cookie `user`. Prints its port. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://origin');
  const user = /\buser=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody';
  const isPage = pathname === '/page';
  if (!isPage && !imagePaths.includes(pathname)) return void response.writeHead(404).end();
  response.setHeader('content-type', isPage ? 'text/html' : 'image/jpeg').end(makeContent(user, pathname));
});
server.listen(0, process.argv[2], () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  console.log(address.port);
});
