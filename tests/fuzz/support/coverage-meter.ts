import { Session } from 'node:inspector/promises';
import { readFileSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../../..');

/** The code that ran, as a mark for each character of each file. */
export type Coverage = Map<string, Uint8Array>;

/** V8's own block coverage of the project's files, in this thread. */
export class CoverageMeter implements Disposable {
  readonly #session = new Session();
  readonly #sizes = new Map<string, number>();
  /** What lies within any function: the rest runs as soon as a file is loaded. */
  readonly #functions: Coverage = new Map();

  /** Files and folders whose code counts. To be started before they are imported. */
  constructor(sources: readonly string[]) {
    for (const source of sources) {
      const full = path.join(root, source);
      const files = statSync(full).isDirectory()
        ? globSync('**/*.ts', { cwd: full }).map((file) => path.join(full, file))
        : [full];
      for (const file of files) this.#sizes.set(pathToFileURL(file).href, readFileSync(file, 'utf8').length);
    }
    this.#session.connect();
  }

  async start(): Promise<void> {
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** What ran since it was last asked. */
  async take(): Promise<Coverage> {
    const coverage: Coverage = new Map();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    for (const { url, functions } of result) {
      const size = this.#sizes.get(url);
      if (size === undefined) continue;
      const marks = coverage.get(url) ?? new Uint8Array(size);
      coverage.set(url, marks);
      const within = this.#functions.get(url) ?? new Uint8Array(size);
      this.#functions.set(url, within);
      // Outer ranges come first, and what they hold follows.
      for (const { functionName, ranges } of functions) {
        if (functionName !== '' || ranges[0]!.startOffset > 0)
          within.fill(1, ranges[0]!.startOffset, ranges[0]!.endOffset);
        for (const { startOffset, endOffset, count } of ranges) marks.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      }
    }
    return coverage;
  }

  /** How much has run of the functions of all files that were loaded, by their characters. */
  readReachedRatio(reached: Coverage): number {
    let [all, marked] = [0, 0];
    for (const [url, within] of this.#functions) {
      const marks = reached.get(url);
      for (const [index, isWithin] of within.entries()) {
        all += isWithin;
        if (isWithin === 1 && marks?.[index] === 1) marked++;
      }
    }
    return marked / all;
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

/** Adds what is new. Returns it, or null where nothing is. */
export function addCoverage(reached: Coverage, more: Coverage): Coverage | null {
  const fresh: Coverage = new Map();
  for (const [url, marks] of more) {
    const known = reached.get(url);
    if (known === undefined) {
      reached.set(url, Uint8Array.from(marks));
      fresh.set(url, marks);
      continue;
    }
    let added: Uint8Array | null = null;
    for (let index = 0; index < marks.length; index++) {
      if (marks[index] === 0 || known[index] === 1) continue;
      known[index] = 1;
      added ??= new Uint8Array(marks.length);
      added[index] = 1;
    }
    if (added !== null) fresh.set(url, added);
  }
  return fresh.size === 0 ? null : fresh;
}

export function includesCoverage(whole: Coverage, part: Coverage): boolean {
  return [...part].every(([url, marks]) => {
    const known = whole.get(url);
    return known !== undefined && marks.every((mark, index) => mark === 0 || known[index] === 1);
  });
}
