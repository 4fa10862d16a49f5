import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#core/app-error.ts';

/** Listens, and returns the address to reach it by on this machine. Throws `port-taken` or `invalid-input`. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, { host, port });
  }
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  const reachable =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${reachable}:${actualPort}`;
}

function explain(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new AppError(
        'port-taken',
        `Another program uses port ${port} of ${host}: end it, or choose another port with --port`,
        { cause: error },
      );
    case 'EACCES':
      return new AppError(
        'port-taken',
        `You may not listen on port ${port} of ${host}: choose one above 1023 with --port`,
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AppError(
        'invalid-input',
        `${host} is not an address of this machine: write 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses`,
        { cause: error },
      );
    default:
      return error;
  }
}
