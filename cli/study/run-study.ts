import { existsSync } from 'node:fs';
import path from 'node:path';
import { readStudies, studiesFolder, type StoredStudy } from '#controller/reports/read-studies.ts';
import type { StudyValues } from '#core/study/study-definition.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { drawFigures } from './draw-figures.ts';
import { formatFindingLines } from './format-finding-lines.ts';
import { measureParts, bundleFile, findingsFile } from './measure-parts.ts';
import { chooseParts, chooseStudies, planParts, type PlannedPart } from './plan-parts.ts';
import { refuseUnmeasurable } from './refuse-unmeasurable.ts';
import { StudyState } from './study-state.ts';
import { AppError } from '#core/app-error.ts';
import { writeFile } from 'node:fs/promises';
import { formatFindings } from '#cli/study/format-findings.ts';
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

/** Measures studies one after the other. One that cannot be measured does not keep others from it; the last of their errors is thrown in the end. */
export async function runStudies(
  names: readonly string[],
  { all, output, ...options }: RunStudyOptions & { all?: true },
): Promise<void> {
  const isAll = all === true;
  const studies = chooseStudies(await readStudies(studiesFolder), { names, isAll });
  if (studies.length > 1 && (options.part !== undefined || options.set !== undefined))
    throw new AppError('invalid-input', '--part and --set are of one study: name one');
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const failures: unknown[] = [];
  for (const [index, study] of studies.entries()) {
    if (studies.length > 1) process.stderr.write(`Study ${index + 1} of ${studies.length}: ${study.name}\n`);
    const folder = studies.length > 1 && output !== undefined ? path.join(output, study.name) : output;
    try {
      await runStudy(study, { ...options, ...(folder !== undefined && { output: folder }) }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
      if (index + 1 < studies.length) process.stderr.write(`${study.name}: ${(error as Error).message}\n`);
    }
  }
  if (failures.length > 0) throw failures.at(-1);
}

/** Measures a study and judges its findings. What an earlier call has measured into the same folder is not measured again. */
async function runStudy(
  study: StoredStudy,
  { quick, rounds, output, part: wanted, set, json, verbose }: RunStudyOptions,
  signal: AbortSignal,
): Promise<void> {
  const { name } = study;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
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
      signal,
    });

  const all = await planParts(study, study.parts, { isQuick, others });
  const measured = all.filter((each) => isMeasured(each)).map((each) => each.name);
  const results = await judgeResults(study, {
    parts: measured,
    output: folder,
    isQuick,
    set: set ?? {},
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
  set: StudyValues;
  chromePath: string;
  signal: AbortSignal;
}

/** Judges the parts that were measured by their bundles, draws the figures of their reports, and writes the table of findings with them. */
async function judgeResults(
  study: StoredStudy,
  { parts, output, isQuick, set, chromePath, signal }: JudgeOptions,
): Promise<JudgedStudy> {
  const runs = new Map<string, Measurements>();
  for (const part of parts) runs.set(part, await gatherMeasurements(bundleFile(output, part)));
  const results = judgeStudy(study, runs);
  const figures = await drawFigures(study, { runs, isQuick, set, output, chromePath, signal });
  const command = `./http-ae study run ${study.name}${isQuick ? ' --quick' : ''}`;
  const threats = [
    ...Object.entries(set).map(([value, text]) => `Not as the study has it: ${value} is ${text}.`),
    ...(isQuick ? ['This was a quick Run with few Rounds and pages: its intervals are wide.'] : []),
  ];
  await writeFile(path.join(output, findingsFile), formatFindings(study, results, { runs, threats, figures, command }));
  return results;
}
