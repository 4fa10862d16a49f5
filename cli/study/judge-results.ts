import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoredStudy } from '#controller/studies/read-studies.ts';
import { formatFindings } from '#core/study/format-findings.ts';
import { judgeStudy, type JudgedExpectation } from '#core/study/judge-study.ts';
import type { Measurements } from '#core/study/measurements.ts';
import type { StudyValues } from '#core/study/study.ts';
import { gatherMeasurements } from './gather-measurements.ts';
import { drawFigures } from './draw-figures.ts';
import { bundleFile, findingsFile } from './results-folder.ts';

interface JudgeOptions {
  parts: readonly string[];
  output: string;
  isQuick: boolean;
  set: StudyValues;
  chromePath: string;
  signal: AbortSignal;
}

/** Judges the parts that were measured by their bundles, draws the figures of their reports, and writes the table of findings with them. */
export async function judgeResults(
  study: StoredStudy,
  { parts, output, isQuick, set, chromePath, signal }: JudgeOptions,
): Promise<JudgedExpectation[]> {
  const runs = new Map<string, Measurements>();
  for (const part of parts) runs.set(part, await gatherMeasurements(bundleFile(output, part)));
  const findings = judgeStudy(study, runs);
  const figures = await drawFigures(parts, { output, chromePath, signal });
  const remarks = describeMeasuring(study, { parts, isQuick, set, runs });
  await writeFile(path.join(output, findingsFile), formatFindings(study, findings, { remarks, figures }));
  return findings;
}

function describeMeasuring(
  { name, parts: all }: StoredStudy,
  {
    parts,
    isQuick,
    set,
    runs,
  }: { parts: readonly string[]; isQuick: boolean; set: StudyValues; runs: ReadonlyMap<string, Measurements> },
): string[] {
  const blocks = [...runs].map(([part, { visits }]) => `${part}: ${new Set(visits.map(({ block }) => block)).size}`);
  return [
    `Measured by \`./http-ae study run ${name}${isQuick ? ' --quick' : ''}\`. Parts measured: ${parts.length} of ${all.length}.`,
    `Counted Rounds of each Scenario: ${blocks.join(', ')}.`,
    ...Object.entries(set).map(([value, text]) => `Not as the study has it: ${value} is ${text}.`),
    ...(isQuick ? ['This was a quick Run with few Rounds and pages: its intervals are wide.'] : []),
  ];
}
