import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { realTime } from '#core/clock/time.ts';
import { AppError } from '#core/app-error.ts';
import { greetRemote } from '../tunnel/greet.ts';
import { makeAddressPolicy } from './address-policy.ts';
import { Bundler } from './bundle/bundler.ts';
import { AnswerPacker } from './compress/answer-packer.ts';
import { GroundCounters } from './ground-counters.ts';
import { GroundTunnels } from './ground-tunnels.ts';
import type { GroundSettings } from './ground-settings.ts';
import { OriginRequests } from './origin-request.ts';
import { serveStream } from './serve-stream.ts';

/** How many connections may greet at a time. */
const maxGreeting = 64;
/** A connection on which nothing came for so long is closed. The remote end pings more often. */
const silenceMs = 60_000;

export interface Ground extends AsyncDisposable {
  port: number;
  readonly counters: GroundCounters;
}

interface GroundOptions extends GroundSettings {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** A line for the operator. */
  onNote: (text: string) => void;
}

/** Starts the end of HTTPEP that fetches from the web servers. Throws `port-taken`. */
export async function startGround({ host, port, onNote, ...settings }: GroundOptions): Promise<Ground> {
  const mayReach = makeAddressPolicy(settings.allowPrivate);
  const origins = new OriginRequests({ mayReach, trustedKeys: settings.trustedKeys });
  const packer = new AnswerPacker(settings.compression, (settings.time ?? realTime).sleep);
  const bundler =
    settings.bundling &&
    new Bundler({ origins, packer, display: settings.bundling, count: (...counted) => counters.add(...counted) });
  const tunnels = new GroundTunnels(settings, (tunnel) => {
    tunnel.on(
      'stream',
      (stream) => void serveStream(stream, { settings, mayReach, origins, packer, bundler, counters, tunnel }),
    );
  });
  const counters = new GroundCounters(tunnels);
  const sockets = new Set<Socket>();
  let greeting = 0;

  const greet = async (socket: Socket) => {
    greeting += 1;
    try {
      const hello = await greetRemote(socket, { key: settings.key, findSession: (name) => tunnels.findSession(name) });
      tunnels.attach(socket, { name: hello.tunnel.toString('hex'), slot: hello.slot });
      socket.setTimeout(silenceMs, () => socket.destroy());
    } catch (error) {
      onNote(
        `Refused a connection from ${socket.remoteAddress ?? 'an address that is gone'}: ${(error as Error).message}`,
      );
      socket.destroy();
    } finally {
      greeting -= 1;
    }
  };
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (greeting >= maxGreeting) socket.destroy();
    else void greet(socket);
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new AppError('port-taken', `Cannot listen on ${host}:${port} (${(error as Error).message})`, {
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    counters,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      tunnels[Symbol.dispose]();
      origins[Symbol.dispose]();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
