import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { ControllerLink } from '#agent/controller-link.ts';
import { compressSnapshot } from '#agent/spool/visit-spool.ts';
import { VisitUploader, type WaitingVisits } from '#core/agent/visit-uploader.ts';
import { protocolVersion } from '#core/protocol/agent-messages.ts';
import type { CompressedVisit } from '#core/protocol/sent-visit.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { makeBenchVisit } from './make-bench-visit.ts';
import { makeSizedSnapshot } from './sized-snapshot.ts';

/** What `ingest.ts` has a process of its own do: Agents that upload Visits they have not made, with the line and the uploader of a real one. */
export interface IngestLoad {
  url: string;
  token: string;
  agents: { name: string; passIds: string[] }[];
  /** Of each Pass. */
  pages: number;
  /** Visits of one message. */
  batch: number;
  snapshotBytes: number;
  /** Visits per second of all Agents together; null: each Agent uploads again as soon as the last upload is acknowledged. */
  rate: number | null;
  warmUpMs: number;
  measuredMs: number;
}

export type IngestReport =
  | { kind: 'begun'; snapshotBytes: number }
  | { kind: 'measured'; acknowledged: number; acknowledgementsMs: number[]; cpuMs: number }
  /** Of the whole load, also before and after it was measured. */
  | { kind: 'done'; acknowledged: number };

const variants = 16;
const load = JSON.parse(process.argv[2]!) as IngestLoad;
const made = Array.from({ length: variants }, () => makeSizedSnapshot(load.snapshotBytes));
const snapshots = made.map(compressSnapshot);
const stopping = new AbortController();
const counts = { acknowledged: 0, acknowledgementsMs: [] as number[] };

/** The uploads of one Agent that are due, and the one on its way. */
class DueVisits implements WaitingVisits {
  readonly #passIds: string[];
  readonly #dueMs: number[] = [];
  #made = 0;
  #onWay = new Set<string>();

  constructor(passIds: string[]) {
    this.#passIds = passIds;
  }

  get isOnWay(): boolean {
    return this.#onWay.size > 0;
  }

  add(dueMs: number): void {
    this.#dueMs.push(dueMs);
  }

  countWaiting(): number {
    return this.#dueMs.length;
  }

  nextBatch(): CompressedVisit[] {
    if (this.#dueMs.length === 0) return [];
    const visits = Array.from({ length: load.batch }, () => this.#make());
    this.#onWay = new Set(visits.map(({ visit: { id } }) => id));
    return visits;
  }

  forget(visitIds: readonly string[]): void {
    for (const id of visitIds) this.#onWay.delete(id);
    counts.acknowledged += visitIds.length;
    if (this.#onWay.size > 0) return;
    const nowMs = performance.now();
    counts.acknowledgementsMs.push(nowMs - this.#dueMs.shift()!);
    if (load.rate === null && !stopping.signal.aborted) this.add(nowMs);
  }

  setAside(_: readonly string[], reason: string): void {
    throw new Error(`The Controller refuses Visits of this benchmark: ${reason}`);
  }

  #make(): CompressedVisit {
    const sequence = this.#made % load.pages;
    const passId = this.#passIds[Math.floor(this.#made / load.pages)];
    if (passId === undefined) throw new Error('More Visits were uploaded than ordered: let bench/ingest.ts order more');
    const snapshot = snapshots[this.#made++ % variants]!;
    const outcome = { status: 'ok' as const, snapshotBytes: snapshot.length };
    return { visit: { ...makeBenchVisit(passId, sequence), outcome }, snapshot };
  }
}

async function beAgent({ name, passIds }: IngestLoad['agents'][number]): Promise<() => Promise<void>> {
  const lifetime = new AbortController();
  const link = new ControllerLink({
    controllerUrls: [load.url],
    token: load.token,
    hello: () => ({ type: 'hello', protocolVersion, agentVersion: '0', name, facts: hostFacts, passes: [] }),
    log: pino({ level: 'warn' }),
    signal: lifetime.signal,
  });
  const visits = new DueVisits(passIds);
  const uploader = new VisitUploader(visits, {
    send: link.send.bind(link),
    mustWait: () => false,
    warn: console.error,
  });
  link.on('message', (message) => {
    if (message.type === 'upload-visits') void uploader.uploadNext();
    else if (message.type === 'visits-stored') void uploader.handleStored(message.visitIds);
    else if (message.type === 'visits-refused') void uploader.handleRefused(message.visitIds, message.reason);
  });
  const line = link.run();
  await once(link, 'connected');
  const { rate, batch, agents } = load;
  return async () => {
    if (rate === null) visits.add(performance.now());
    else void keepPace(visits, { uploader, everyMs: (1000 * batch * agents.length) / rate });
    await uploader.announce();
    await once(stopping.signal, 'abort');
    while (visits.isOnWay) await pause(20);
    lifetime.abort();
    await line;
  };
}

/** Each upload is due at its time, also while those before it wait. */
async function keepPace(visits: DueVisits, { uploader, everyMs }: { uploader: VisitUploader; everyMs: number }) {
  let dueMs = performance.now() + Math.random() * everyMs;
  while (!stopping.signal.aborted) {
    await pause(Math.max(0, dueMs - performance.now()));
    visits.add(dueMs);
    await uploader.announce();
    dueMs += everyMs;
  }
}

const report = (message: IngestReport) => process.send!(message);
const starts = await Promise.all(load.agents.map(beAgent));
const ends = Promise.all(starts.map((start) => start()));
await pause(load.warmUpMs);
report({ kind: 'begun', snapshotBytes: JSON.stringify(made[0]).length });
const before = { acknowledged: counts.acknowledged, cpu: process.cpuUsage() };
counts.acknowledgementsMs = [];
await pause(load.measuredMs);
const { user, system } = process.cpuUsage(before.cpu);
report({
  kind: 'measured',
  acknowledged: counts.acknowledged - before.acknowledged,
  acknowledgementsMs: counts.acknowledgementsMs,
  cpuMs: (user + system) / 1000,
});
stopping.abort();
await ends;
report({ kind: 'done', acknowledged: counts.acknowledged });
process.disconnect();
