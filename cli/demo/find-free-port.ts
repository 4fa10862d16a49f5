import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first port from `first` on that nobody listens on at this address. */
export async function findFreePort(host: string, first: number): Promise<number> {
  for (let port = first; port < 65_536; port++) {
    if (await isFree(host, port)) return port;
  }
  throw new Error(`Every port from ${first} up is taken at ${host}`);
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
