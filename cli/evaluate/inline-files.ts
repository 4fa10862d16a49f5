import path from 'node:path';
import { isMap, isPair, isScalar, visit, type YAMLMap } from 'yaml';
import { AppError } from '#core/app-error.ts';
import { RateTraceSchema } from '#core/evaluation/network/link-profile-trace.ts';
import { openYaml } from '#core/input/yaml-text.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';

/** What a key may name a file for. */
interface FileKey {
  /** As in `key: { file: PATH }`. */
  key: string;
  /** Where this is written too, `file` is a mistake that the schema reports. */
  content: string;
  /** Throws `invalid-input` with file and line. */
  read: (file: string) => Promise<Record<string, unknown>>;
}

/** A value that names a file, and its place in the text. */
interface NamedFile {
  file: string;
  others: Record<string, unknown>;
  begin: number;
  end: number;
  line: number;
}

/**
 * Puts the contents of each file that a `key: { file: PATH }` of a YAML text names in its place; the path is as seen from the YAML file. Every line keeps its
 * number, so that other faults keep theirs. Throws `invalid-input` with the named file and the place; faults of the YAML are left to its reader.
 */
export async function inlineFiles(yaml: string, yamlFile: string, fileKey: FileKey): Promise<string> {
  let text = yaml;
  // From the last to the first, as what is put in moves what follows.
  for (const { file, others, begin, end, line } of findFiles(yaml, fileKey).toReversed()) {
    const contents = await explain(
      () => fileKey.read(path.resolve(path.dirname(yamlFile), file)),
      `${yamlFile}:${line}`,
    );
    const lineBreaks = '\n'.repeat(yaml.slice(begin, end).split('\n').length - 1);
    text = `${text.slice(0, begin)}${JSON.stringify({ ...contents, ...others })}${lineBreaks}${text.slice(end)}`;
  }
  return text;
}

function findFiles(yaml: string, { key: wanted, content }: FileKey): NamedFile[] {
  const { document, lines, faults } = openYaml(yaml);
  if (faults.length > 0) return [];
  const found: NamedFile[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== wanted || !isMap(value)) return;
      const file = value.get('file');
      if (typeof file !== 'string' || value.has(content)) return;
      const [begin, end] = value.range!;
      found.push({ file, others: othersOf(value), begin, end, line: lines.linePos(begin).line });
    },
  });
  return found;
}

function othersOf(map: YAMLMap): Record<string, unknown> {
  const entries = map.items
    .filter(isPair)
    .map(({ key, value }) => [String(isScalar(key) ? key.value : key), isScalar(value) ? value.value : value] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== 'file'));
}

async function explain<T>(read: () => Promise<T>, place: string): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${error.message} (named in ${place})`, { cause: error });
  }
}

type Step = [atMs: number, kbps: number];

const number = String.raw`\d+(?:\.\d+)?`;
const stepPattern = new RegExp(String.raw`^(${number})\s*,\s*(${number})$`);
const heading = /^seconds\s*,\s*kbps$/i;
const shownCharacters = 40;
const advice = 'rateTrace.file must name a file of lines "seconds,kbps", by its path from the YAML file';

/** Puts the steps of each file that a `rateTrace: { file: PATH }` of a YAML text names in its place. */
export function inlineRateTraces(yaml: string, yamlFile: string): Promise<string> {
  return inlineFiles(yaml, yamlFile, {
    key: 'rateTrace',
    content: 'steps',
    read: async (file) => ({ steps: await readRateTrace(file) }),
  });
}

/**
 * The steps of a trace file, `[[atMs, kbps], …]`: a line `seconds,kbps` for each, in order of time from 0 on, the first of which may be that heading. Empty lines and
 * those that begin with # are passed over. Throws `invalid-input` with file and line.
 */
async function readRateTrace(file: string): Promise<Step[]> {
  const numbered = (await readTextFile(file, advice))
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), number: index + 1 }));
  const rows = numbered
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .filter(({ text }, index) => index > 0 || !heading.test(text));
  const refuse = (line: number, message: string) => new AppError('invalid-input', `${file}:${line}: ${message}`);
  const steps = rows.map(({ text, number }): Step => {
    const match = stepPattern.exec(text);
    if (!match)
      throw refuse(
        number,
        `must be "seconds,kbps", such as "0.5,256", not ${JSON.stringify(text.slice(0, shownCharacters))}`,
      );
    return [Math.round(Number(match[1]) * 1e6) / 1000, Number(match[2])];
  });

  // Whether it may end in an outage depends on what is written beside it: a repeated one may.
  const issue = RateTraceSchema.safeParse({ steps, repeatAfterMs: 1 + (steps.at(-1)?.[0] ?? 0) }).error?.issues.find(
    ({ path }) => path[0] === 'steps',
  );
  if (!issue) return steps;
  const [, index] = issue.path;
  if (typeof index !== 'number') throw new AppError('invalid-input', `${file}: its steps ${issue.message}`);
  throw refuse(
    rows[index]!.number,
    `"${rows[index]!.text.slice(0, shownCharacters)}": ${issue.path[2] === 0 ? 'the time' : 'the rate'} ${issue.message}`,
  );
}
