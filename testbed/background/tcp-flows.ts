import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type FlowCounts, type FlowKind, flowPorts } from './flow-messages.ts';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundLoad } from '#core/evaluation/scenarios/background-load.ts';
import { VideoPlayer } from './video-player.ts';

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

/** After a connection was refused or lost, as by an outage of the link. */
const againAfterMs = 1_000;

/** The end of flows in `remote`: a connection for each user, which is made again if it is lost. */
export class FlowClient {
  readonly #address: string;
  readonly #sockets = new Set<Socket>();
  readonly #received = new Map<FlowKind, number>();
  readonly #players: VideoPlayer[] = [];
  readonly #ending = new AbortController();

  constructor(address: string) {
    this.#address = address;
  }

  start(loads: BackgroundLoad): void {
    for (const load of loads) {
      if (load.kind === 'voice') continue;
      for (let user = 0; user < load.users; user++) {
        const player = load.kind === 'video' ? new VideoPlayer(load.ladderKbps) : null;
        if (player) this.#players.push(player);
        void this.#hold(load.kind, player);
      }
    }
  }

  receivedBytes(kind: FlowKind): number {
    return this.#received.get(kind) ?? 0;
  }

  /** Null where nobody plays. */
  video(): FlowCounts['video'] {
    return this.#players.length === 0 ? null : VideoPlayer.sum(this.#players);
  }

  stop(): void {
    this.#ending.abort();
    for (const player of this.#players) player.end();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #hold(kind: FlowKind, player: VideoPlayer | null): Promise<void> {
    const { signal } = this.#ending;
    const isWanted = () => !signal.aborted;
    while (isWanted()) {
      const socket = connect({ host: this.#address, port: flowPorts[kind] });
      this.#sockets.add(socket);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => socket.destroy()); // it is made again
      socket.on('data', (data) => this.#received.set(kind, this.receivedBytes(kind) + data.length));
      if (kind === 'bulk-upload') socket.on('connect', () => sendEndlessly(socket));
      if (player) {
        const playing = new AbortController();
        socket.once('close', () => playing.abort());
        socket.once('connect', () => void player.play(socket, playing.signal));
      }
      await closed;
      this.#sockets.delete(socket);
      if (isWanted()) await pause(againAfterMs, undefined, { signal }).catch(() => undefined); // ended meanwhile
    }
  }
}

const chunk = Buffer.alloc(64 * 1024);

/** Sends as much as the connection takes, until it is closed. */
function sendEndlessly(socket: Socket): void {
  const fill = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

/** So many bytes, in parts. */
function bytesOf(count: number): Readable {
  return Readable.from(parts(count));
}

function* parts(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
}
