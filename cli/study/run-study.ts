import { existsSync } from 'node:fs';
import path from 'node:path';
import type { StoredStudy } from '#controller/studies/read-studies.ts';
import type { StudyValues } from '#core/study/study-definition.ts';
import { findHome } from '../installation.ts';
import type { ProgressStream } from '../progress/progress-printer.ts';
import { drawFigures } from './draw-figures.ts';
import { measureParts, bundleFile, findingsFile } from './measure-parts.ts';
import { chooseParts, planParts, type PlannedPart } from './plan-parts.ts';
import { refuseUnmeasurable } from './refuse-unmeasurable.ts';
import { StudyState } from './study-state.ts';
import { writeFile } from 'node:fs/promises';
import { formatFindings, formatFindingLines } from '#cli/study/format-findings.ts';
import { judgeStudy, type JudgedStudy } from '#cli/study/judge-study.ts';
import type { Measurements } from '#cli/study/study-measurements.ts';
import { gatherMeasurements } from './gather-part.ts';

export interface RunStudyOptions {
  quick?: true;
  rounds?: number;
  output?: string;
  part?: string[];
  /** Values of the study that are replaced. */
  set?: StudyValues;
  json?: true;
  verbose?: true;
}

/** What is around a study while it is measured. */
export interface StudySurroundings {
  /** Where it shows how far it is. */
  progress: ProgressStream;
  /** What else limits its findings; null where nothing does. */
  remark: string | null;
  signal: AbortSignal;
}

/** Measures a study and judges its findings. What an earlier call has measured into the same folder is not measured again. */
export async function runStudy(
  study: StoredStudy,
  { quick, rounds, output, part: wanted, set, json, verbose }: RunStudyOptions,
  { progress, remark, signal }: StudySurroundings,
): Promise<void> {
  const { name } = study;
  const say = (line: string) => void progress.write(`${line}\n`);
  const isQuick = quick === true;
  const homeFolder = findHome(process.env);
  const others = { ...set, ...(rounds !== undefined && { rounds }) };
  const planned = await planParts(study, chooseParts(study, wanted), { isQuick, others });
  const folder = path.resolve(output ?? `study-${name}${isQuick ? '-quick' : ''}`);
  const browsers = await refuseUnmeasurable(name, planned, { homeFolder, say, signal });

  const state = await StudyState.open(folder, name);
  const isMeasured = (each: PlannedPart) =>
    state.find(each.name, each.evaluationSha256)?.isMeasured === true && existsSync(bundleFile(folder, each.name));
  const left = planned.filter((each) => !isMeasured(each));
  if (left.length < planned.length)
    say(`${planned.length - left.length} of ${planned.length} parts are measured already`);
  if (left.length > 0)
    await measureParts(left, {
      study: name,
      browsers,
      state,
      output: folder,
      homeFolder,
      isVerbose: verbose === true,
      say,
      progress,
      signal,
    });

  const all = await planParts(study, study.parts, { isQuick, others });
  const measured = all.filter((each) => isMeasured(each)).map((each) => each.name);
  const results = await judgeResults(study, {
    parts: measured,
    output: folder,
    isQuick,
    rounds,
    set: set ?? {},
    remark,
    chromePath: browsers.chromePath,
    signal,
  });
  say(`The results are in ${folder}`);
  process.stdout.write(
    json ? `${JSON.stringify({ study: name, folder, ...results })}\n` : `${formatFindingLines(results)}\n`,
  );
}

interface JudgeOptions {
  parts: readonly string[];
  output: string;
  isQuick: boolean;
  rounds: number | undefined;
  set: StudyValues;
  remark: string | null;
  chromePath: string;
  signal: AbortSignal;
}

/** Judges the parts that were measured by their bundles, draws the figures of their reports, and writes the table of findings with them. */
async function judgeResults(
  study: StoredStudy,
  { parts, output, isQuick, rounds, set, remark, chromePath, signal }: JudgeOptions,
): Promise<JudgedStudy> {
  const runs = new Map<string, Measurements>();
  for (const part of parts) runs.set(part, await gatherMeasurements(bundleFile(output, part)));
  const results = judgeStudy(study, runs);
  const figures = await drawFigures(study, { runs, isQuick, set, output, chromePath, signal });
  const command = writeCommand(study.name, { isQuick, rounds, set });
  const threats = [
    ...(remark === null ? [] : [remark]),
    ...Object.entries(set).map(([value, text]) => `Not as the study has it: ${value} is ${text}.`),
    ...(isQuick ? ['This was a quick Run with few Rounds and pages: its intervals are wide.'] : []),
  ];
  await writeFile(path.join(output, findingsFile), formatFindings(study, results, { runs, threats, figures, command }));
  return results;
}

/** What measures the same again. */
export function writeCommand(
  name: string,
  { isQuick, rounds, set }: Pick<JudgeOptions, 'isQuick' | 'rounds' | 'set'>,
): string {
  const words = [
    `./http-ae study run ${name}`,
    ...(isQuick ? ['--quick'] : []),
    ...(rounds === undefined ? [] : [`--rounds ${rounds}`]),
    ...Object.entries(set).map(([value, text]) => `--set ${quoteForShell(`${value}=${text}`)}`),
  ];
  return words.join(' ');
}

function quoteForShell(word: string): string {
  return /^[\w=.,:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
