import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { actEvery, realTime, type Time } from '#core/clock/time.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { greetGround } from '../tunnel/greet.ts';
import { Tunnel } from '../tunnel/tunnel.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import { SilenceWatch } from './silence-watch.ts';
import { connect, type LookupFunction, type Socket } from 'node:net';

const dialMs = 5000;
/** Of this, for each but the last address of the ground end. Unless it is asked for more, Node gives one up sooner than a satellite answers. */
const addressMs = Math.floor(dialMs / 3);

const chunkBytes = 1433;
const maxStreams = 4096;
const firstPauseMs = 100;
const longestPauseMs = 1000;
/** Keeps idle connections open, also through a NAT. */
const idlePingMs = 15_000;

export interface KeeperOptions {
  ground: { host: string; port: number };
  connectionCount: number;
  key: Buffer;
  onNote: (text: string) => void;
  /** Finds the addresses of the ground end. Of the system unless given. */
  lookup?: LookupFunction;
  /** Of this process unless given. */
  time?: Time;
}

interface KeeperEvents {
  /** Nothing comes from the ground end any more, though it should. */
  lost: [];
}

/** The remote end's tunnel: keeps its connections open, and knows whether the ground end is there. */
export class TunnelKeeper extends EventEmitter<KeeperEvents> implements AsyncDisposable {
  readonly tunnel: Tunnel;
  readonly #options: KeeperOptions;
  readonly #name = randomBytes(16);
  readonly #end = new AbortController();
  readonly #watch: SilenceWatch;
  readonly #time: Time;
  readonly #slots: Promise<void>[];
  #lastNote = '';

  constructor(options: KeeperOptions) {
    super();
    this.#options = options;
    const scheduler = new Scheduler({ name: 'fair', weights: {} });
    const { time = realTime } = options;
    this.#time = time;
    this.tunnel = new Tunnel({ end: 'remote', scheduler, pacer: null, chunkBytes: () => chunkBytes, maxStreams, time });
    this.#watch = new SilenceWatch({ tunnel: this.tunnel, onLost: () => this.emit('lost'), time });
    actEvery(idlePingMs, () => this.tunnel.ping(), { sleep: time.sleep, signal: this.#end.signal });
    this.#slots = Array.from({ length: options.connectionCount }, (_, slot) => this.#keep(slot));
  }

  /** Whether nothing has come for too long, as far as is known. */
  get isLost(): boolean {
    return this.#watch.isLost;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#watch[Symbol.dispose]();
    this.tunnel.destroy(new TunnelError('closed', 'The remote end was stopped'));
    await Promise.all(this.#slots);
  }

  async #keep(slot: number): Promise<void> {
    const { signal } = this.#end;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      try {
        await this.#use(slot);
        pauseMs = firstPauseMs;
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        this.#watch.noteFailure();
        if (code === 'ECONNREFUSED' && this.tunnel.connectionCount === 0) this.#watch.declareLost();
        this.#note(`No connection to the ground end: ${(error as Error).message}`);
      }
      await this.#time.sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    }
  }

  /** Resolves when a connection that stood has closed. Throws a TunnelError when none could be had. */
  async #use(slot: number): Promise<void> {
    const { ground, key, connectionCount, lookup } = this.#options;
    const socket = await dial({ ...ground, lookup }, this.#end.signal);
    try {
      const greetedMs = this.#time.clock();
      const session = await greetGround(socket, { slot, tunnel: this.#name, key });
      const roundTripMs = this.#time.clock() - greetedMs;
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      this.tunnel.attach(socket, { slot, session, roundTripMs });
      if (this.tunnel.connectionCount === connectionCount) this.#note('The tunnel stands');
      await closed;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  #note(text: string): void {
    if (text === this.#lastNote || this.#end.signal.aborted) return;
    this.#lastNote = text;
    this.#options.onNote(text);
  }
}

/** A connection to the ground end. Throws `lost` when it cannot be had. */
async function dial(
  { host, port, lookup }: KeeperOptions['ground'] & { lookup: LookupFunction | undefined },
  signal: AbortSignal,
): Promise<Socket> {
  const options = { noDelay: true, keepAlive: true, autoSelectFamilyAttemptTimeout: addressMs };
  const socket = connect({ host, port, ...(lookup && { lookup }), ...options });
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
