import { AppError } from '#core/app-error.ts';
import { arrangeTrend } from '#core/trend/arrange-trend.ts';
import { findTrendChanges, type TrendChange } from '#core/trend/find-trend-changes.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { wantsColour } from '../comparison/format-table.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { formatTrend } from './format-trend.ts';

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

/** By its id, or by its name if only one has it. */
async function find(client: ControllerClient, wanted: string): Promise<{ id: string; name: string }> {
  if (/^[1-9]\d{0,17}$/.test(wanted)) {
    const { id, document } = await client.readEvaluation(wanted);
    return { id, name: document.name };
  }
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

/** With the ids of its Runs alone. */
function asDocument({ scenario, at, earliest, latest, before, after, change, p }: TrendChange) {
  const gap = (place: TrendChange['at']) => ({ before: place.before.runId, after: place.after.runId });
  return { scenario, at: gap(at), earliest: gap(earliest), latest: gap(latest), before, after, change, p };
}
