import { existsSync } from 'node:fs';
import path from 'node:path';
import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import type { StudyValues } from '#core/study/study.ts';
import { findHome } from '../find-home.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { chooseParts, findStudy } from './find-study.ts';
import { formatFindingLines } from './format-finding-lines.ts';
import { judgeResults } from './judge-results.ts';
import { measureParts } from './measure-parts.ts';
import { planParts, type PlannedPart } from './plan-parts.ts';
import { refuseUnmeasurable } from './refuse-unmeasurable.ts';
import { bundleFile } from './results-folder.ts';
import { StudyState } from './study-state.ts';

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

/** Measures a study and judges its findings. What an earlier call has measured into the same folder is not measured again. */
export async function runStudy(
  name: string,
  { quick, rounds, output, part: wanted, set, json, verbose }: RunStudyOptions,
): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const isQuick = quick === true;
  const homeFolder = findHome(process.env);
  const study = findStudy(await readStudies(studiesFolder), name);
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
  const findings = await judgeResults(study, {
    parts: measured,
    output: folder,
    isQuick,
    set: set ?? {},
    chromePath: browsers.chromePath,
    signal,
  });
  say(`The results are in ${folder}`);
  process.stdout.write(
    json ? `${JSON.stringify({ study: name, folder, findings })}\n` : `${formatFindingLines(findings)}\n`,
  );
}
