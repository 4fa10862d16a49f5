import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, type Page } from 'puppeteer-core';
import { z } from 'zod';
import { makeProfileFolder } from '#agent/engines/browser/browser-process.ts';
import { describeChromeEnvironment } from '#agent/engines/chrome/launch-browser.ts';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { AppError } from '#core/app-error.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { MeasurementsSchema, type Measurements } from '#core/record/measurements.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import type { LinkFigures } from '#core/study/formula.ts';
import { joinParts, type JointFigure } from '#core/study/join-parts.ts';
import {
  isOfLoad,
  type LoadFigureDefinition,
  type Study,
  type StudyFigureDefinition,
  type StudyValues,
} from '#core/study/study-definition.ts';
import { readBundle } from '../report/read-bundle.ts';
import { findTypicalLoad, type TypicalLoad } from './find-typical-load.ts';
import type { StudyFigure } from './format-findings.ts';
import { bundleFile, figuresFolder, reportFile } from './measure-parts.ts';
import type { Measurements as StudyMeasurements } from './study-measurements.ts';

const OfferedFiguresSchema = z.array(
  z.object({ name: z.string(), title: z.string(), caption: z.string().default(''), svg: z.string(), csv: z.string() }),
);
type OfferedFigure = z.infer<typeof OfferedFiguresSchema>[number];

const offeredWithinMs = 60_000;

/** The heading, and the folder, of the figures that the study declares. */
const jointHeading = 'All parts';
const jointFolder = 'all-parts';

interface DrawOptions {
  /** By part, of those that were measured. */
  runs: ReadonlyMap<string, StudyMeasurements>;
  isQuick: boolean;
  set: StudyValues;
  output: string;
  chromePath: string;
  signal: AbortSignal;
}

/**
 * Writes the figures that the study declares, and those with which the report of each part opens, as SVG and CSV files, in place of those of an earlier call.
 * The browser that draws them ends with it.
 */
export async function drawFigures(
  study: Pick<Study, 'values' | 'quick' | 'parts' | 'figures'>,
  { runs, isQuick, set, output, chromePath, signal }: DrawOptions,
): Promise<StudyFigure[]> {
  await rm(path.join(output, figuresFolder), { recursive: true, force: true });
  await using profile = await makeProfileFolder(tmpdir());
  await using browser = await launch({
    executablePath: chromePath,
    args: listLaunchFlags(BrowserSettingsSchema.parse({}), { isRoot: process.getuid?.() === 0 }),
    userDataDir: path.join(profile.path, 'profile'),
    env: describeChromeEnvironment(profile.path),
    pipe: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    signal,
  });
  const page = await browser.newPage();
  const drawn: StudyFigure[] = [];
  const measured = new Map<string, Measurements>();
  for (const part of runs.keys()) {
    signal.throwIfAborted();
    await openReport(page, reportFile(output, part));
    const offered = OfferedFiguresSchema.parse(await page.evaluate('globalThis.httpAeFigures.ofReport()'));
    drawn.push(...(await writeFigures(offered, { output, heading: part, folder: part })));
    const measurements = MeasurementsSchema.nullable().parse(
      await page.evaluate('globalThis.httpAeFigures.measurements'),
    );
    if (measurements !== null) measured.set(part, measurements);
  }
  const call = async (method: 'draw' | 'drawLoad', drawing: object) =>
    OfferedFiguresSchema.parse(await page.evaluate(`globalThis.httpAeFigures.${method}(${JSON.stringify(drawing)})`));
  const joint: OfferedFigure[] = [];
  for (const figure of study.figures) {
    if (isOfLoad(figure)) {
      const run = runs.get(figure.part);
      const lines = readBundle(bundleFile(output, figure.part));
      const load = run && (await findTypicalLoad(lines, { ...figure, visits: run.visits }));
      if (!run || !load) continue;
      const { userAgent, capture } = load;
      const { forwardKbps, returnKbps } = run.linkOf(figure.scenario);
      const drawing = { title: figure.title, userAgent, capture, forwardKbps, returnKbps };
      joint.push(...withCaption(await call('drawLoad', drawing), describeLoad(figure, load)));
      continue;
    }
    const joined = joinParts(
      figure,
      study.parts.flatMap((part) => {
        const measurements = measured.get(part.name);
        if (!measurements) return [];
        const values = valuesOf(study, part, { isQuick, others: set });
        const { visits, isComparable } = runs.get(part.name)!;
        return [{ name: part.name, values, measurements, visits, isComparable }];
      }),
    );
    if (joined === null) continue;
    joint.push(
      ...withCaption(await call('draw', { ...joined, paper: figure.paper }), describeJoint(figure, joined, runs)),
    );
  }
  return [...(await writeFigures(joint, { output, heading: jointHeading, folder: jointFolder })), ...drawn];
}

function withCaption(files: readonly OfferedFigure[], caption: string): OfferedFigure[] {
  return files.map((file) => ({ ...file, caption }));
}

/** Which load it is, as a caption of a paper says it. */
function describeLoad({ title, scenario, part }: LoadFigureDefinition, { totalMs, of }: TypicalLoad): string {
  return [
    `${title}.`,
    `One load with ${scenario}, of the part ${part}.`,
    `Its page load time of ${(totalMs / 1000).toFixed(1)} s is the median of ${of} loads.`,
    'Rates are in bins of 100 ms, with all headers.',
  ].join(' ');
}

/** What it is drawn from, as a caption of a paper says it. */
export function describeJoint(
  { title, paper, scenarios }: Pick<StudyFigureDefinition, 'title' | 'paper' | 'scenarios'>,
  { rounds, measurements }: Pick<JointFigure, 'rounds' | 'measurements'>,
  runs: ReadonlyMap<string, Pick<StudyMeasurements, 'linkOf' | 'conditions'>>,
): string {
  const confidence = `${Number((100 * measurements.design.confidence).toFixed(3))} %`;
  const parts = rounds.map(({ part, least, most }) => {
    const links = new Set(scenarios.flatMap((scenario) => describeLink(runs.get(part)!.linkOf(scenario))));
    const count = least === most ? most : `${least} to ${most}`;
    return `Part ${part}: ${[`n = ${count}`, ...links].join(', ')}.`;
  });
  const browsers = new Set(rounds.flatMap(({ part }) => runs.get(part)!.conditions.browsers));
  return [
    `${title}.`,
    ...parts,
    ...(browsers.size > 0 ? [`Loaded by ${[...browsers].join(', ')}.`] : []),
    `Intervals are ${confidence} t intervals, over the n Rounds of each Scenario of a part.`,
    ...paper.map(({ scenario, source }) => `“${scenario}, paper”: as ${source} prints it.`),
  ].join(' ');
}

/** The rate to the user and back, and the round trip; none of a Scenario without a link. */
function describeLink({ rttMs, forwardKbps, returnKbps }: LinkFigures): string[] {
  if (rttMs === null) return [];
  const [to, back] = [forwardKbps, returnKbps].map((kbps) => (kbps === null ? 'no one rate' : `${kbps} kb/s`));
  return [`link of ${to === back ? `${to} each way` : `${to} and ${back} back`} and ${rttMs} ms`];
}

/** Throws `invalid-input` for a report of an earlier version, which offers no figures. */
async function openReport(page: Page, report: string): Promise<void> {
  await page.goto(pathToFileURL(report).href);
  try {
    // What shows a report is compressed in it, and unpacks itself.
    await page.waitForFunction('globalThis.httpAeFigures?.drawLoad', { timeout: offeredWithinMs });
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `${report} is of an earlier version, which offers no figures: remove ${path.dirname(report)} and run the study again`,
      { cause },
    );
  }
}

async function writeFigures(
  offered: readonly OfferedFigure[],
  { output, heading, folder }: { output: string; heading: string; folder: string },
): Promise<StudyFigure[]> {
  if (offered.length > 0) await mkdir(path.join(output, figuresFolder, folder), { recursive: true });
  return Promise.all(
    offered.map(async ({ name, title, caption, svg, csv }, index) => {
      const file = `${figuresFolder}/${folder}/${index + 1}-${name}`;
      await writeFile(path.join(output, `${file}.svg`), `${svg}\n`);
      await writeFile(path.join(output, `${file}.csv`), csv);
      return { part: heading, title, file, caption };
    }),
  );
}
