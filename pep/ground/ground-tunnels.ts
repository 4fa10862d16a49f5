import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { actAfter, realTime } from '#core/clock/time.ts';
import { Pacer } from '../pacer/pacer.ts';
import { RateEstimator } from '../pacer/rate-estimator.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { Tunnel } from '../tunnel/tunnel.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import { chooseChunkBytes } from './choose-chunk-bytes.ts';
import type { GroundSettings } from './ground-settings.ts';

/** How long a tunnel is kept that has no connection. */
const bareMs = 30_000;
const maxStreams = 4096;
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

  attach(socket: Duplex, { name, slot }: { name: string; slot: number }): void {
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
    const { scheduler, weights, rateKbps, paceRatio, time = realTime } = this.#settings;
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
