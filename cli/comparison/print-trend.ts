import { styleText } from 'node:util';
import { AppError } from '#core/app-error.ts';
import { catalogue } from '#core/metrics/index.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import { arrangeTrend, type ArrangedTrend, type TrendPlace } from '#core/trend/arrange-trend.ts';
import { findTrendChanges, describeTrendChanges, type TrendChange } from '#core/trend/find-trend-changes.ts';
import { describeThreshold } from '#core/trend/judge-threshold.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { absent, formatEstimate, showReduction } from './format-figures.ts';
import { wantsColour, formatTable } from './format-table.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

const namedIds = 5;

export interface TrendOptions extends ControllerOptions {
  json?: true;
  verbose?: true;
}

/** Prints the completed Runs of an Evaluation, and where its reduction changed, as the page "Trend" of the web UI does. */
export async function printTrend(evaluation: string, { json, ...options }: TrendOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const client = new ControllerClient(await findController(options, findHome(process.env)), interrupts.signal);
  const { id, name } = await find(client, evaluation);
  const trend = await client.readTrend(id);
  const arranged = arrangeTrend(trend.runs, 'date');
  if (json) {
    const changes = arranged ? findTrendChanges(arranged) : null;
    const document = {
      evaluation: { id, name },
      metric: arranged?.metric ?? null,
      threshold: trend.threshold,
      runs: trend.runs,
      changes: changes?.kind !== 'sought' ? [] : changes.changes.map(asDocument),
    };
    process.stdout.write(`${JSON.stringify(document)}\n`);
    return;
  }
  const isColoured = wantsColour(process.stdout, process.env);
  const lines = arranged
    ? formatTrend(arranged, { name, isCut: trend.isCut, threshold: trend.threshold, isColoured })
    : [
        trend.runs.length === 0
          ? `No completed Run of "${showPlainly(name)}" yet`
          : 'The figures of the Runs are being computed: try it again in a few seconds',
      ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** By its id, else by its name if only one has it. */
async function find(client: ControllerClient, wanted: string): Promise<{ id: string; name: string }> {
  const ofId = /^[1-9]\d{0,17}$/.test(wanted) ? await readIfThere(client, wanted) : null;
  if (ofId) return { id: ofId.id, name: ofId.document.name };
  const found = (await client.listEvaluations()).filter(({ name }) => name === wanted);
  const [only] = found;
  if (!only) throw new AppError('not-found', `No Evaluation is named "${showPlainly(wanted)}"`);
  if (found.length > 1) {
    const ids = found.slice(0, namedIds).map(({ id }) => id);
    throw new AppError(
      'invalid-input',
      `${found.length} Evaluations are named "${showPlainly(wanted)}": give the id of one (${ids.join(', ')}${found.length > namedIds ? ', …' : ''})`,
    );
  }
  return only;
}

async function readIfThere(client: ControllerClient, id: string) {
  try {
    return await client.readEvaluation(id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

/** With the ids of its Runs alone. */
function asDocument({ scenario, at, earliest, latest, before, after, change, p }: TrendChange) {
  const gap = (place: TrendChange['at']) => ({ before: place.before.runId, after: place.after.runId });
  return { scenario, at: gap(at), earliest: gap(earliest), latest: gap(latest), before, after, change, p };
}

interface FormatOptions {
  name: string;
  /** Whether there are older Runs. */
  isCut: boolean;
  /** The least reduction that a Run should show. */
  threshold: number | null;
  isColoured: boolean;
}

/** A row for each Run, lines where what measured it changed, and in sentences where the reduction did. */
export function formatTrend(arranged: ArrangedTrend, { name, isCut, threshold, isColoured }: FormatOptions): string[] {
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const { places, metric } = arranged;
  const compared = arranged.scenarios.filter(({ baseline }) => !baseline);
  // A single Scenario has only its mean.
  const shown = compared.length > 0 ? compared : arranged.scenarios;
  const what = compared.length > 0 ? 'Reduction' : 'Mean, ms';
  const [head, ...rows] = formatTable([
    ['Run', 'Started', 'Labels', 'Settings', ...shown.map((each) => `${what}: ${showPlainly(each.name)}`)],
    ...places.map((place) => [
      place.runId,
      // UTC, as all times in files and logs are.
      `${place.startedAt.slice(0, 16).replace('T', ' ')}Z`,
      showPlainly(formatLabels(place.labels)) || absent,
      place.settings,
      ...shown.map((each) => showMeasured(place, each.name, compared.length > 0)),
    ]),
  ]);
  return [
    `${catalogue[metric].label} of "${showPlainly(name)}"${isCut ? ', the newest Runs' : ''}`,
    dim(head!),
    ...rows.flatMap((row, index) => [...describeBreaks(places[index - 1], places[index]!).map(dim), row]),
    '',
    ...describeTrendChanges(findTrendChanges(arranged)).map(showPlainly),
    ...describeThreshold(arranged, threshold).map(showPlainly),
    ...describeLeftOut(arranged),
    dim(
      'Each with the interval of its Comparison. Runs with the same letter had the same settings. Rounds of different Runs are not paired.',
    ),
  ];
}

function showMeasured(place: TrendPlace, scenario: string, isReduction: boolean): string {
  const measured = place.scenarios.get(scenario);
  if (!measured) return absent;
  if (isReduction) return showReduction(measured.reduction);
  const { rounds, meanMs: mean, halfWidthMs: halfWidth } = measured;
  return formatEstimate(mean === null ? null : { rounds, mean, standardDeviation: null, halfWidth });
}

/** What differs from the Run before, besides the settings, which have a column. */
function describeBreaks(before: TrendPlace | undefined, after: TrendPlace): string[] {
  if (!before) return [];
  const changes = [
    before.definitions !== after.definitions &&
      `metric definitions ${before.definitions || 'not known'} → ${after.definitions || 'not known'}`,
    before.engines !== after.engines && `engine ${before.engines} → ${after.engines}`,
  ];
  return changes.filter((change) => change !== false).map((change) => `  ${showPlainly(change)}`);
}

function describeLeftOut({ waiting, otherMetric }: ArrangedTrend): string[] {
  return [
    ...(waiting > 0 ? [`Not computed yet: ${countRuns(waiting)}`] : []),
    ...(otherMetric > 0 ? [`Left out, with another primary metric: ${countRuns(otherMetric)}`] : []),
  ];
}

function countRuns(count: number): string {
  return `${count} ${count === 1 ? 'Run' : 'Runs'}`;
}
