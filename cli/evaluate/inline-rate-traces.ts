import { inlineFiles } from './inline-files.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import { AppError } from '#core/app-error.ts';
import { RateTraceSchema } from '#core/evaluation/network/link-profile-trace.ts';

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
