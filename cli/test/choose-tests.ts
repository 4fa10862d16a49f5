import { InvalidArgumentError } from 'commander';

/** Every kind of test, in the order in which they are run. All but `lint` are folders under tests/ and projects of vitest. */
export const testKinds = ['lint', 'unit', 'fuzz', 'calibration', 'db', 'browser', 'testbed', 'e2e'] as const;
export type TestKind = (typeof testKinds)[number];
export type VitestKind = Exclude<TestKind, 'lint'>;

/** The file of a test that only `./http-ae test --all` runs ends so. */
export const slowEnding = '.slow.test.ts';

/**
 * Groups run one after the other, the lanes of a group at the same time, the kinds of a lane one after the other.
 * Each lane takes about a core: `db` waits for half of its time, and no kind here measures time but a few files of `db`.
 */
const groups: readonly TestKind[][][] = [
  [
    ['lint', 'db'],
    ['unit', 'fuzz', 'calibration'],
  ],
  [['browser']],
  [['testbed']],
  [['e2e']],
];

/** What to run: all tests of some kinds, or of one kind the files and the tests that are named. */
export interface TestChoice {
  kinds: TestKind[];
  /** Parts of paths. Empty for all files. */
  files: string[];
  /** In the name of each test; empty for all tests. */
  words: string;
}

const isKind = (word: string): word is TestKind => (testKinds as readonly string[]).includes(word);

interface Files {
  /** The paths of all files of a kind, slow ones too. */
  listFiles: (kind: TestKind) => readonly string[];
  /** Whether slow files run too. */
  all: boolean;
}

/**
 * Reads `[KIND...] [FILE or WORDS...]`: kinds first, then parts of paths (three letters or more) that some file of the kind has, then words of test names.
 * A part that only slow files have is refused without `all`. Throws InvalidArgumentError.
 */
export function chooseTests(args: readonly string[], { listFiles, all }: Files): TestChoice {
  const end = args.findIndex((word) => !isKind(word));
  const kinds = (end === -1 ? args : args.slice(0, end)).filter(isKind);
  const rest = end === -1 ? [] : args.slice(end);
  if (rest.length === 0) return { kinds: kinds.length > 0 ? kinds : [...testKinds], files: [], words: '' };
  const [kind] = kinds;
  if (kind === undefined)
    throw new InvalidArgumentError(`"${rest[0]}" is not a kind. Allowed choices are ${testKinds.join(', ')}.`);
  if (kinds.length > 1 || kind === 'lint')
    throw new InvalidArgumentError(`"${rest[0]}" names a file or a test. Put it after one kind other than lint.`);
  const paths = listFiles(kind);
  const filesOf = (word: string) => (word.length >= 3 ? paths.filter((path) => path.includes(word)) : []);
  const isFile = (word: string) => filesOf(word).length > 0;
  const slow = rest.find((word) => isFile(word) && filesOf(word).every((file) => file.endsWith(slowEnding)));
  if (slow !== undefined && !all) throw new InvalidArgumentError(`"${slow}" names slow files only. Add --all.`);
  return { kinds, files: rest.filter(isFile), words: rest.filter((word) => !isFile(word)).join(' ') };
}

/** The groups of these kinds, in the order in which they run. */
export function groupKinds(kinds: readonly TestKind[]): TestKind[][][] {
  return groups
    .map((lanes) => lanes.map((lane) => lane.filter((kind) => kinds.includes(kind))).filter(({ length }) => length > 0))
    .filter(({ length }) => length > 0);
}
