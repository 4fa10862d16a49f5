import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Pacer } from '../pacer/pacer.ts';
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
  bareTimer: NodeJS.Timeout | null;
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
    if (entry.bareTimer) clearTimeout(entry.bareTimer);
    entry.bareTimer = null;
    entry.tunnel.attach(socket, { slot, session: name });
  }

  list(): { name: string; tunnel: Tunnel }[] {
    return [...this.#entries].map(([name, { tunnel }]) => ({ name, tunnel }));
  }

  [Symbol.dispose](): void {
    for (const name of [...this.#entries.keys()]) this.#forget(name);
  }

  #create(name: string): Entry {
    const { scheduler, weights, paceKbps } = this.#settings;
    const tunnel = new Tunnel({
      end: 'ground',
      scheduler: new Scheduler({ name: scheduler, weights }),
      pacer: paceKbps === null ? null : new Pacer(paceKbps),
      chunkBytes: chooseChunkBytes(paceKbps),
      maxStreams,
    });
    const entry: Entry = { session: this.findSession(name), tunnel, bareTimer: null };
    tunnel.on('bare', () => {
      entry.bareTimer ??= setTimeout(() => this.#forget(name), bareMs).unref();
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
    if (entry.bareTimer) clearTimeout(entry.bareTimer);
  }
}
