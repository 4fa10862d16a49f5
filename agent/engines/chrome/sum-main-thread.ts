import { isMainThreadEvent } from '#core/metrics/main-thread.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { TraceEvent } from './browser-trace-reader.ts';

type MainThread = NonNullable<Snapshot['mainThread']>;

/** A stretch of a thread under one name. */
interface Stretch {
  name: string;
  startUs: number;
  endUs: number;
  cpuUs: number;
}

interface OpenStretch extends Stretch {
  /** Of those within it. */
  innerUs: number;
}

/** Keeps of a trace what the time of a page's main thread is made of, and sums it up. */
export class MainThreadSums {
  readonly #mainFrameId: string;
  /** By thread: of all, until the trace has said which of them had the page. */
  readonly #stretches = new Map<string, Stretch[]>();
  readonly #begun = new Map<string, TraceEvent[]>();
  readonly #lastUs = new Map<string, number>();
  /** Those that had the page: more than one where it moved to another process, as to another site. */
  readonly #threads = new Set<string>();

  constructor(mainFrameId: string) {
    this.#mainFrameId = mainFrameId;
  }

  add(event: TraceEvent): void {
    const { name, ph, pid, tid, ts, args } = event;
    const key = `${pid} ${tid}`;
    if (name === 'CommitLoad' && readFrame(args) === this.#mainFrameId) this.#threads.add(key);
    this.#lastUs.set(key, Math.max(this.#lastUs.get(key) ?? 0, ts + (event.dur ?? 0)));
    if (!isMainThreadEvent(name)) return;
    if (ph === 'X') this.#keep(key, event, { durationUs: event.dur ?? 0, cpuUs: event.tdur ?? event.dur ?? 0 });
    else if (ph === 'B') this.#begun.set(key, [...(this.#begun.get(key) ?? []), event]);
    else if (ph === 'E') {
      const begun = this.#begun.get(key)?.pop();
      if (begun) this.#keep(key, begun, { durationUs: ts - begun.ts, cpuUs: ts - begun.ts });
    }
  }

  /** The time of each kind of event between two instants of the trace's clock, without that of the events within it. */
  sum({ fromUs, untilUs }: { fromUs: number; untilUs: number }): MainThread {
    const threads = [...this.#threads];
    if (threads.length === 0) return { kind: 'absent', reason: 'The trace has no main thread of the page' };
    // Reading the page out comes after: a trace that has nothing of it has lost its end.
    if (!threads.some((key) => (this.#lastUs.get(key) ?? 0) >= untilUs))
      return { kind: 'absent', reason: 'The trace ends before the page had settled' };
    const sums = new Map<string, number>();
    for (const key of threads)
      for (const { name, selfUs } of listSelfTimes(this.#stretches.get(key) ?? [], { fromUs, untilUs }))
        sums.set(name, (sums.get(name) ?? 0) + selfUs);
    const events = [...sums].map(([name, us]) => ({ name, cpuMs: Math.round(us) / 1000 }));
    return { kind: 'recorded', events: events.filter(({ cpuMs }) => cpuMs > 0) };
  }

  #keep(key: string, { name, ts }: TraceEvent, { durationUs, cpuUs }: { durationUs: number; cpuUs: number }): void {
    const stretches = this.#stretches.get(key) ?? [];
    this.#stretches.set(key, stretches);
    stretches.push({ name, startUs: ts, endUs: ts + durationUs, cpuUs });
  }
}

/** Which frame an event is of; undefined of one that names none. */
function readFrame(args: TraceEvent['args']): unknown {
  const data = args?.['data'];
  return typeof data === 'object' && data !== null && 'frame' in data ? data.frame : undefined;
}

/** Stretches of one thread lie within each other or beside each other. What an end of the interval cuts counts by its part inside. */
function listSelfTimes(
  stretches: readonly Stretch[],
  { fromUs, untilUs }: { fromUs: number; untilUs: number },
): { name: string; selfUs: number }[] {
  const times: { name: string; selfUs: number }[] = [];
  const open: OpenStretch[] = [];
  const close = () => {
    const { name, cpuUs, innerUs } = open.pop()!;
    times.push({ name, selfUs: Math.max(0, cpuUs - innerUs) });
    const around = open.at(-1);
    if (around) around.innerUs += cpuUs;
  };
  const inOrder = stretches.toSorted((one, other) => one.startUs - other.startUs || other.endUs - one.endUs);
  for (const stretch of inOrder) {
    const [startUs, endUs] = [Math.max(fromUs, stretch.startUs), Math.min(untilUs, stretch.endUs)];
    if (endUs <= startUs) continue;
    while (open.length > 0 && open.at(-1)!.endUs <= stretch.startUs) close();
    const share = (endUs - startUs) / (stretch.endUs - stretch.startUs);
    open.push({ ...stretch, cpuUs: stretch.cpuUs * share, innerUs: 0 });
  }
  while (open.length > 0) close();
  return times;
}
