import { AppError } from '#core/app-error.ts';
import { findDifferences } from '#core/comparison/arms.ts';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { wantsColour } from '../comparison/wants-colour.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { formatSideBySide } from './format-side-by-side.ts';
import { pairArms } from './pair-arms.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';

export interface CompareOptions extends ControllerOptions {
  metric?: LatencyId;
  from?: LatencyOrigin;
  json?: true;
  verbose?: true;
}

/** Prints the Scenarios of two Runs side by side, as the page "Runs side by side" of the web UI does. */
export async function compareRuns(
  [a, b]: [string, string],
  { metric, from, json, ...options }: CompareOptions,
): Promise<void> {
  if (a === b) throw new AppError('invalid-input', `"compare" needs two Runs, but both are Run ${a}`);
  using interrupts = watchInterrupts();
  const client = new ControllerClient(await findController(options, findHome(process.env)), interrupts.signal);
  const first = await client.readComparison(a, from, 'pooled');
  const second = await client.readComparison(b, from, 'pooled');
  const chosen = metric ?? first.primaryMetric;
  const scenarios = pairArms([first, second], chosen);
  const isColoured = wantsColour(process.stdout, process.env);
  process.stdout.write(
    json
      ? `${JSON.stringify({ metric: chosen, differences: findDifferences([first, second]), scenarios })}\n`
      : `${formatSideBySide([first, second], { metric: chosen, scenarios, isColoured })}\n`,
  );
}
