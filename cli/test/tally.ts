export interface TestFailure {
  /** Where: the kind, the file, the sentence. */
  name: string;
  message: string;
}

/** What a part of the tests came to. */
export interface Tally {
  passed: number;
  skipped: number;
  /** One for each test that failed, each file that could not be run, and each error outside of a test. */
  failures: TestFailure[];
  times: TestTime[];
}

/** How long a file of tests took, or a check that is no file. */
export interface TestTime {
  name: string;
  tookMs: number;
}

const slowestShown = 10;

export function addTallies(tallies: Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
    times: tallies.flatMap(({ times }) => times),
  };
}

/** The line that `./http-ae test` ends with. */
export function summarize({ passed, skipped, failures }: Tally): string {
  return `${passed} passed, ${failures.length} failed, ${skipped} skipped`;
}

/** The time of each kind, of all (less than their sum where kinds ran side by side), and the slowest files: what to look at when the tests take too long. */
export function describeTimes({
  kinds,
  files,
  totalMs,
}: {
  kinds: readonly TestTime[];
  files: readonly TestTime[];
  totalMs: number;
}): string {
  const slowest = files.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, slowestShown);
  return [
    'Time by kind',
    ...kinds.map(describeTime),
    describeTime({ name: 'total', tookMs: totalMs }),
    '',
    'Slowest files',
    ...slowest.map(describeTime),
  ].join('\n');
}

function describeTime({ name, tookMs }: TestTime): string {
  return `${(tookMs / 1000).toFixed(1).padStart(8)} s  ${name}`;
}
