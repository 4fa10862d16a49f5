import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { BackgroundLoad } from '#core/evaluation/scenarios/background-load.ts';
import { flowPorts, type FlowKind } from './flow-messages.ts';
import { bytesOf, sendEndlessly } from './send-endlessly.ts';

/** 50 Mb/s for a segment. A player asks for no more. */
const mostSegmentBytes = 32 * 1024 * 1024;

/** The end of flows in `ground`: sends downloads and segments, and counts uploads. */
export class FlowServer {
  readonly #sockets = new Set<Socket>();
  readonly #received = new Map<FlowKind, number>();

  static async open(address: string, loads: BackgroundLoad): Promise<FlowServer> {
    const server = new FlowServer();
    for (const { kind } of loads) if (kind !== 'voice') await server.#listen(address, kind);
    return server;
  }

  receivedBytes(kind: FlowKind): number {
    return this.#received.get(kind) ?? 0;
  }

  /** Resets all connections, so that nothing of them is sent any more. */
  stop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #listen(address: string, kind: FlowKind): Promise<Server> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => socket.destroy()); // the other end reset it
      this.#serve(socket, kind);
    });
    await once(server.listen(flowPorts[kind], address), 'listening');
    return server;
  }

  #serve(socket: Socket, kind: FlowKind): void {
    if (kind === 'bulk-download') sendEndlessly(socket.resume());
    else if (kind === 'bulk-upload')
      socket.on('data', (data) => this.#received.set(kind, this.receivedBytes(kind) + data.length));
    else {
      createInterface(socket).on('line', (line) => {
        const bytes = Number(line);
        if (!(bytes > 0 && bytes <= mostSegmentBytes)) return socket.destroy();
        bytesOf(Math.round(bytes)).pipe(socket, { end: false });
        return undefined;
      });
    }
  }
}
