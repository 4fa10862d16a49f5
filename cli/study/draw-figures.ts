import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from 'puppeteer-core';
import { z } from 'zod';
import { describeChromeEnvironment } from '#agent/engines/chrome/chrome-environment.ts';
import { makeProfileFolder } from '#agent/engines/browser/profile-folder.ts';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { AppError } from '#core/app-error.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { StudyFigure } from '#core/study/study-figure.ts';
import { figuresFolder, reportFile } from './results-folder.ts';

const OfferedFiguresSchema = z.array(
  z.object({ name: z.string(), title: z.string(), svg: z.string(), csv: z.string() }),
);

interface DrawOptions {
  output: string;
  chromePath: string;
  signal: AbortSignal;
}

/** Writes the figures with which the report of each part opens as SVG and CSV files, in place of those of an earlier call. The browser that draws them ends with it. */
export async function drawFigures(
  parts: readonly string[],
  { output, chromePath, signal }: DrawOptions,
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
  for (const part of parts) {
    signal.throwIfAborted();
    const report = reportFile(output, part);
    await page.goto(pathToFileURL(report).href);
    const offered = OfferedFiguresSchema.safeParse(await page.evaluate('globalThis.httpAeFigures?.()'));
    if (!offered.success)
      throw new AppError(
        'invalid-input',
        `${report} is of an earlier version, which offers no figures: remove ${path.dirname(report)} and run the study again`,
      );
    drawn.push(...(await writeFigures(offered.data, { output, part })));
  }
  return drawn;
}

async function writeFigures(
  offered: z.infer<typeof OfferedFiguresSchema>,
  { output, part }: { output: string; part: string },
): Promise<StudyFigure[]> {
  await mkdir(path.join(output, figuresFolder, part), { recursive: true });
  return Promise.all(
    offered.map(async ({ name, title, svg, csv }, index) => {
      const file = `${figuresFolder}/${part}/${index + 1}-${name}`;
      await writeFile(path.join(output, `${file}.svg`), `${svg}\n`);
      await writeFile(path.join(output, `${file}.csv`), csv);
      return { part, title, file };
    }),
  );
}
