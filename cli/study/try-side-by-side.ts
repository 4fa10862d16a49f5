import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { StoredStudy } from '#controller/studies/read-studies.ts';
import { averagePages, presentValues } from '#core/comparison/latencies/compute-reduction.ts';
import { welchInterval } from '#core/statistics/compare-unpaired.ts';
import type { StudyValues } from '#core/study/study-definition.ts';
import { allSettled } from '#core/waiting.ts';
import { readVersion } from '../installation.ts';
import { gatherMeasurements } from './gather-part.ts';
import { bundleFile, measureParts } from './measure-parts.ts';
import { pagesByBlock } from './measure-quantity.ts';
import { planParts, type PlannedPart } from './plan-parts.ts';
import { refuseUnmeasurable, type StudyBrowsers } from './refuse-unmeasurable.ts';
import { StudyState } from './study-state.ts';
import type { Measurements, MeasuredVisit } from './study-measurements.ts';

/** How many studies are measured at a time, where they do not disturb each other. Each has a testbed, a Controller and browsers of its own. */
export const mostAtOnce = 3;

/** What is measured alone and beside others: one user, a fast link, and HTTPEP at its ends. */
const trial = { study: 'httpep', part: '2m' };

const KeptJudgementSchema = z.object({
  httpAeVersion: z.string(),
  cpuCount: z.number(),
  isSame: z.boolean(),
  text: z.string(),
});

interface TrialOptions {
  homeFolder: string;
  /** Values that replace those of the study. */
  set?: StudyValues;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Whether a study has the same figures beside two others as alone, on this machine. It is measured once for each version of HTTP-AE, and kept in the home folder. */
export async function trySideBySide(studies: readonly StoredStudy[], options: TrialOptions): Promise<BesideJudgement> {
  const { homeFolder, set = {}, say, signal } = options;
  const kept = path.join(homeFolder, 'studies', 'side-by-side.json');
  const machine = { httpAeVersion: readVersion(), cpuCount: availableParallelism() };
  const earlier = await readKept(kept);
  if (earlier?.httpAeVersion === machine.httpAeVersion && earlier.cpuCount === machine.cpuCount) return earlier;

  const study = studies.find(({ name }) => name === trial.study)!;
  const parts = study.parts.filter(({ name }) => name === trial.part);
  const [part] = await planParts(study, parts, { isQuick: false, others: set });
  const browsers = await refuseUnmeasurable(study.name, [part!], options);
  say(
    `Whether studies can be measured side by side: ${study.name}, ${part!.name}, is measured alone, and then ${mostAtOnce} times at once. About ${2 * part!.minutes} min`,
  );
  const folder = path.join(homeFolder, 'studies', 'side-by-side');
  const measure = (count: number) => measureAtOnce(count, { ...options, part: part!, browsers, folder });
  try {
    const [alone] = await measure(1);
    const judgement = judgeBeside(alone!, await measure(mostAtOnce));
    signal.throwIfAborted();
    await writeFile(kept, `${JSON.stringify({ ...machine, ...judgement }, null, 2)}\n`);
    return judgement;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Null where there is none, or one that cannot be read: it is measured again. */
async function readKept(file: string): Promise<z.infer<typeof KeptJudgementSchema> | null> {
  try {
    return KeptJudgementSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

interface AtOnceOptions extends TrialOptions {
  part: PlannedPart;
  browsers: StudyBrowsers;
  folder: string;
}

/** The same Run, `count` times at once. The failure of one ends the others. */
async function measureAtOnce(
  count: number,
  { part, browsers, folder, say, signal }: AtOnceOptions,
): Promise<Measurements[]> {
  const failing = new AbortController();
  const measure = async (homeFolder: string): Promise<Measurements> => {
    const output = path.join(homeFolder, 'results');
    await mkdir(output, { recursive: true });
    try {
      await measureParts([part], {
        study: trial.study,
        browsers,
        state: await StudyState.open(output, trial.study),
        output,
        homeFolder,
        isVerbose: false,
        say: () => undefined,
        progress: { write: () => undefined },
        signal: AbortSignal.any([signal, failing.signal]),
      });
    } catch (error) {
      failing.abort(error);
      throw error;
    }
    return gatherMeasurements(bundleFile(output, part.name));
  };
  const folders = Array.from({ length: count }, (_, index) => path.join(folder, `${count}-${index + 1}`));
  const measured = await allSettled(folders.map(measure));
  say(count === 1 ? 'Measured alone' : `Measured ${count} times at once`);
  return measured;
}

/** Figures are the same if they differ by less than this. */
const sameWithin = 0.02;

/** Two one-sided tests at 5 %. */
const confidence = 0.9;

/** Whether Runs beside each other have the same figures as one that is alone. */
interface BesideJudgement {
  isSame: boolean;
  /** A sentence for people. */
  text: string;
}

/**
 * Compares the page load times of each Scenario, by the ratio of geometric means over Blocks. They are the same where the whole interval of every ratio is within 2 %.
 * Throws RangeError where a Run has fewer than two Blocks.
 */
export function judgeBeside(alone: Measurements, beside: readonly Measurements[]): BesideJudgement {
  const scenarios = [...new Set(alone.visits.map(({ scenario }) => scenario))].sort((a, b) => a.localeCompare(b));
  const differences = scenarios.map((scenario) => {
    const own = listLogs(alone.visits, scenario);
    const found = welchInterval(
      beside.flatMap(({ visits }) => listLogs(visits, scenario)),
      own,
      confidence,
    );
    if (found === null) throw new RangeError(`"${scenario}" has fewer than two Blocks`);
    const [value, low, high] = [found.value, found.low, found.high].map((log) => Math.exp(log) - 1);
    return { scenario, value: value!, low: low!, high: high! };
  });
  const isSame = differences.every(({ low, high }) => Math.max(-low, high) < sameWithin);
  const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;
  const words = differences.map(
    ({ scenario, value, low, high }) => `${percent(value)} (${percent(low)} to ${percent(high)}) with ${scenario}`,
  );
  const count = ['no', 'one', 'two'][beside.length - 1] ?? beside.length - 1;
  return {
    isSame,
    text: `Beside ${count} others, a study ${isSame ? 'has the same figures as alone' : 'may have other figures than alone'}: page load times differ by ${words.join(', ')}. They are the same if the 90 % intervals are within 2 %.`,
  };
}

/** The logarithm of the page load time in each Block, averaged over pages. */
function listLogs(visits: readonly MeasuredVisit[], scenario: string): number[] {
  const pages = pagesByBlock(visits, { metric: 'totalMs', scenario, where: {} });
  return presentValues(averagePages([...pages.values()].map(({ byBlock }) => byBlock.map(Math.log))));
}
