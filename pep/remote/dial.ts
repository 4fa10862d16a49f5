import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TunnelError } from '../tunnel/tunnel-error.ts';

const dialMs = 5000;

/** A connection to the ground end. Throws `lost` when it cannot be had. */
export async function dial({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(dialMs)]) });
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    const reason = (error as { code?: string }).code === 'ABORT_ERR' ? 'no answer' : (error as Error).message;
    throw new TunnelError('lost', `${host}:${port} cannot be reached (${reason}). Is the ground end running there?`, {
      cause: error,
    });
  }
  socket.on('error', () => socket.destroy());
  return socket;
}
