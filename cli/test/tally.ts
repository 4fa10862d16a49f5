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
