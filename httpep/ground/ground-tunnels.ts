import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import { Pacer } from '../pacer/pacer.ts';
import { RateEstimator } from '../pacer/rate-estimator.ts';
import { Scheduler, type SchedulerName } from '../scheduler/scheduler.ts';
import { Tunnel } from '../tunnel/tunnel.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import { segmentBytes } from '../pacer/count-wire-bytes.ts';
import { headerBytes } from '../tunnel/frame.ts';
import type { BlockList } from 'node:net';
import type { Display } from '#core/page-objects/display.ts';
import type { Compression } from './compress/compression.ts';

/** A chunk takes the link about so long: another user waits no longer than that. */
const chunkMs = 5;
const maxChunkBytes = 16_384;

/** How long a tunnel is kept that has no connection. */
const bareMs = 30_000;
const defaultMaxStreams = 4096;

interface Entry {
  session: Buffer;
  tunnel: Tunnel;
  /** Null where the rate is given. */
  estimator: RateEstimator | null;
  /** Calls off that it is forgotten, while it has no connection. */
  bare: AbortController | null;
}

/** The tunnels of the remote ends. */
export class GroundTunnels implements Disposable {
  readonly #settings: GroundSettings;
  readonly #onTunnel: (tunnel: Tunnel) => void;
  readonly #secret = randomBytes(16);
  readonly #entries = new Map<string, Entry>();
  #forgottenCount = 0;

  constructor(settings: GroundSettings, onTunnel: (tunnel: Tunnel) => void) {
    this.#settings = settings;
    this.#onTunnel = onTunnel;
  }

  /** What names all that is known about a tunnel; a new name where that is nothing. */
  findSession(name: string): Buffer {
    const known = this.#entries.get(name);
    if (known) return known.session;
    return createHash('sha256').update(this.#secret).update(`${name} ${this.#forgottenCount}`).digest().subarray(0, 16);
  }

  /** `session`: what the remote end learned in the greeting. Throws `lost` where that was forgotten meanwhile: nothing under way could continue. */
  attach(socket: Duplex, { name, slot, session }: { name: string; slot: number; session: Buffer }): void {
    if (!session.equals(this.findSession(name))) throw new TunnelError('lost', 'Its tunnel was forgotten meanwhile');
    const entry = this.#entries.get(name) ?? this.#create(name);
    entry.bare?.abort();
    entry.bare = null;
    entry.tunnel.attach(socket, { slot, session: name });
    if (this.#settings.rateKbps === 'auto') entry.tunnel.ping();
  }

  list(): { name: string; tunnel: Tunnel; estimatedKbps: number | null }[] {
    return [...this.#entries].map(([name, { tunnel, estimator }]) => ({
      name,
      tunnel,
      estimatedKbps: estimator?.kbps ?? null,
    }));
  }

  [Symbol.dispose](): void {
    for (const name of [...this.#entries.keys()]) this.#forget(name);
  }

  #create(name: string): Entry {
    const { scheduler, weights, rateKbps, paceRatio, maxStreams = defaultMaxStreams, time = realTime } = this.#settings;
    const rate = rateKbps === 'auto' ? new RateEstimator() : rateKbps;
    const pacer = rate === null ? null : new Pacer(rate, paceRatio);
    const tunnel = new Tunnel({
      end: 'ground',
      scheduler: new Scheduler({ name: scheduler, weights }),
      pacer,
      chunkBytes: () => chooseChunkBytes(pacer?.linkKbps ?? null),
      maxStreams,
      time,
    });
    tunnel.on('roundTrip', (ms) => pacer?.estimator?.guess({ roundTripMs: ms, connections: tunnel.connectionCount }));
    const entry: Entry = {
      session: this.findSession(name),
      tunnel,
      estimator: pacer?.estimator ?? null,
      bare: null,
    };
    tunnel.on('bare', () => {
      if (entry.bare) return;
      entry.bare = new AbortController();
      actAfter(bareMs, () => this.#forget(name), { sleep: time.sleep, signal: entry.bare.signal });
    });
    this.#entries.set(name, entry);
    this.#onTunnel(tunnel);
    return entry;
  }

  #forget(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    this.#entries.delete(name);
    this.#forgottenCount += 1;
    entry.tunnel.destroy(new TunnelError('lost', 'The remote end is gone'));
    entry.bare?.abort();
  }
}

/** A segment on slow links; more on fast ones, where each chunk costs time of the processor. */
function chooseChunkBytes(linkKbps: number | null): number {
  if (linkKbps === null) return maxChunkBytes;
  const segments = Math.max(1, Math.floor(((linkKbps / 8) * chunkMs) / segmentBytes));
  return Math.min(maxChunkBytes, segments * segmentBytes - headerBytes);
}

export interface GroundSettings {
  /** How many streams a tunnel may have at a time; 4096 where it is not given. */
  maxStreams?: number;
  key: Buffer;
  scheduler: SchedulerName;
  /** Weight of each class of users. */
  weights: Readonly<Record<string, number>>;
  /** The class of a user; empty for none. */
  classOf: (user: string) => string;
  /** Of the link to the remote end, in kb/s. `auto`: estimated by what arrives. Null: no limit. */
  rateKbps: number | 'auto' | null;
  /** The part of the rate that is used. */
  paceRatio: number;
  /** Whether addresses that are not public may be reached, or which. */
  allowPrivate: boolean | BlockList;
  /** Ports of public addresses that CONNECT may reach. */
  connectPorts: ReadonlySet<number> | 'all';
  /** Base64 SHA-256 of keys of web servers that no known authority vouches for. */
  trustedKeys: readonly string[];
  /** The usual display of the browsers that pages are fetched ahead for; null: nothing is fetched ahead. */
  bundling: Display | null;
  compression: Compression;
  /** Of this process unless given. */
  time?: Time;
}
