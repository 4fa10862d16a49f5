import path from 'node:path';
import { listProcFolder, readProcFile } from './measure-load.ts';

/** New processes of a browser are looked for so often, in readings. */
const readingsPerSearch = 4;
const nanosecondsPerMs = 1e6;

/**
 * How long the main threads of a program and of its children waited for a processor. Linux counts it for each thread: https://docs.kernel.org/scheduler/sched-stats.html
 * A child that ended keeps the value that was read last.
 */
export class ProcessWaits {
  readonly #findLeader: () => number | null;
  readonly #procFolder: string;
  /** In ns, by process. */
  readonly #waits = new Map<number, { from: number; to: number }>();
  #readings = 0;

  /** `findLeader`: the id of the program; null while there is none. */
  constructor(findLeader: () => number | null, procFolder = '/proc') {
    this.#findLeader = findLeader;
    this.#procFolder = procFolder;
  }

  /** Forgets what was waited until the last reading. */
  begin(): void {
    for (const wait of this.#waits.values()) wait.from = wait.to;
  }

  /** Of the process that waited longest since then, in ms; a later one counts from its birth. Null where the kernel does not say. */
  readMs(): number | null {
    const processes = this.#readings++ % readingsPerSearch === 0 ? this.#listProcesses() : [...this.#waits.keys()];
    for (const id of processes) {
      const waited = this.#readWaited(id);
      if (waited !== null) this.#waits.set(id, { from: this.#waits.get(id)?.from ?? 0, to: waited });
    }
    if (this.#waits.size === 0) return null;
    return Math.max(...[...this.#waits.values()].map(({ from, to }) => to - from)) / nanosecondsPerMs;
  }

  #listProcesses(): number[] {
    const found: number[] = [];
    const leader = this.#findLeader();
    const open = leader === null ? [] : [leader];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      found.push(id);
      for (const thread of listProcFolder(path.join(this.#procFolder, `${id}/task`)))
        open.push(...readNumbers(readProcFile(path.join(this.#procFolder, `${id}/task/${thread}/children`))));
    }
    return found;
  }

  /** In ns: the second number of `schedstat`. Null where the process is gone, or the kernel counts nothing. */
  #readWaited(id: number): number | null {
    const [ran = 0, waited = 0] = readNumbers(readProcFile(path.join(this.#procFolder, `${id}/schedstat`)));
    return ran === 0 ? null : waited;
  }
}

function readNumbers(text: string | null): number[] {
  return text?.match(/\d+/g)?.map(Number) ?? [];
}
