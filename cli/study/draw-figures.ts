import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, type Page } from 'puppeteer-core';
import { z } from 'zod';
import { makeProfileFolder } from '#agent/engines/browser/browser-process.ts';
import { describeChromeEnvironment } from '#agent/engines/chrome/chrome-environment.ts';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { AppError } from '#core/app-error.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { MeasurementsSchema, type Measurements } from '#core/figures/measurements.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import { joinParts, type JointFigure } from '#core/study/join-parts.ts';
import type { Study, StudyFigureDefinition, StudyValues } from '#core/study/study-definition.ts';
import type { StudyFigure } from './format-findings.ts';
import { figuresFolder, reportFile } from './measure-parts.ts';

const OfferedFiguresSchema = z.array(
  z.object({ name: z.string(), title: z.string(), caption: z.string().default(''), svg: z.string(), csv: z.string() }),
);
type OfferedFigure = z.infer<typeof OfferedFiguresSchema>[number];

const offeredWithinMs = 60_000;

/** The heading, and the folder, of the figures over several parts. */
const jointHeading = 'All parts';
const jointFolder = 'all-parts';

interface DrawOptions {
  /** Those that were measured. */
  parts: readonly string[];
  isQuick: boolean;
  set: StudyValues;
  output: string;
  chromePath: string;
  signal: AbortSignal;
}

/**
 * Writes the figures over parts, and those with which the report of each part opens, as SVG and CSV files, in place of those of an earlier call.
 * The browser that draws them ends with it.
 */
export async function drawFigures(
  study: Pick<Study, 'values' | 'quick' | 'parts' | 'figures'>,
  { parts, isQuick, set, output, chromePath, signal }: DrawOptions,
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
  for (const part of parts) {
    signal.throwIfAborted();
    await openReport(page, reportFile(output, part));
    const offered = OfferedFiguresSchema.parse(await page.evaluate('globalThis.httpAeFigures.ofReport()'));
    drawn.push(...(await writeFigures(offered, { output, heading: part, folder: part })));
    const measurements = MeasurementsSchema.nullable().parse(
      await page.evaluate('globalThis.httpAeFigures.measurements'),
    );
    if (measurements !== null) measured.set(part, measurements);
  }
  const joint: OfferedFigure[] = [];
  for (const figure of study.figures) {
    const joined = joinParts(
      figure,
      study.parts.flatMap((part) => {
        const measurements = measured.get(part.name);
        return measurements
          ? [{ name: part.name, values: valuesOf(study, part, { isQuick, others: set }), measurements }]
          : [];
      }),
    );
    if (joined === null) continue;
    const call = `globalThis.httpAeFigures.draw(${JSON.stringify({ ...joined, paper: figure.paper })})`;
    const files = OfferedFiguresSchema.parse(await page.evaluate(call));
    joint.push(...files.map((file) => ({ ...file, caption: describeJoint(figure, joined) })));
  }
  return [...(await writeFigures(joint, { output, heading: jointHeading, folder: jointFolder })), ...drawn];
}

/** What it is drawn from, as a caption of a paper says it. */
function describeJoint({ title, paper }: StudyFigureDefinition, { rounds, measurements }: JointFigure): string {
  const confidence = `${Number((100 * measurements.design.confidence).toFixed(3))} %`;
  return [
    `${title}.`,
    `Of the parts ${rounds.map(({ part, count }) => `${part} (n = ${count} Rounds of each Scenario)`).join(', ')}.`,
    `Intervals are ${confidence} t intervals, over the Rounds of a part.`,
    ...paper.map(({ scenario, source }) => `“${scenario}, paper”: as ${source} prints it.`),
  ].join(' ');
}

/** Throws `invalid-input` for a report of an earlier version, which offers no figures. */
async function openReport(page: Page, report: string): Promise<void> {
  await page.goto(pathToFileURL(report).href);
  try {
    // What shows a report is compressed in it, and unpacks itself.
    await page.waitForFunction('globalThis.httpAeFigures?.draw', { timeout: offeredWithinMs });
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
