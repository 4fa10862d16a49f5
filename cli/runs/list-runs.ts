import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import { absent } from '../comparison/format-figures.ts';
import { formatTable } from '../comparison/format-table.ts';
import { showPlainly } from '../plain-text.ts';

/** Longer names are cut, so that a Run has one line. */
const longestName = 40;

export interface RunsOptions extends ControllerOptions {
  limit: number;
  json?: true;
  yes?: true;
  verbose?: true;
}

/** Prints the newest Runs, without those that only tried a URL. */
export async function listRuns({ limit, json, ...options }: RunsOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const client = new ControllerClient(await findController(options, findHome(process.env)), interrupts.signal);
  const runs = (await client.listRuns({ withTries: false })).slice(0, limit);
  process.stdout.write(json ? `${JSON.stringify(runs)}\n` : `${formatRuns(runs).join('\n')}\n`);
}

/** A line for each Run under a head. */
export function formatRuns(runs: readonly RunSummary[]): string[] {
  if (runs.length === 0) return ['No Runs'];
  return formatTable([
    ['Evaluation', 'Run', 'State', 'Rounds', 'Visits', 'Failed', 'Started', 'Outcome'],
    ...runs.map((run) => [
      cut(showPlainly(run.evaluationName)),
      run.id,
      describeState(run),
      `${run.roundsCompleted}/${run.roundsPlanned}`,
      String(run.visits),
      String(run.failedVisits),
      // UTC, as all times in files and logs are.
      run.startedAt === null ? absent : `${run.startedAt.slice(0, 16).replace('T', ' ')}Z`,
      describeOutcome(run),
    ]),
  ]);
}

function describeState({ state, pausedAt, waitsFor: [first] }: RunSummary): string {
  if (pausedAt !== null && state === 'running') return 'paused';
  return first ? `waits for ${first.runId}` : state;
}

function describeOutcome({ outcome, labels }: RunSummary): string {
  const label = formatLabels(labels);
  return showPlainly(`${outcome?.text ?? absent}${label && ` [${label}]`}`);
}

function cut(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}
