import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The wanted port of the loopback address where it is free, else another free one. */
export async function findPort(wanted: number | null): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if (wanted === null || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await findPort(null);
  } finally {
    server.close();
  }
}
