import { Command } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import type { TrendOptions } from '../comparison/print-trend.ts';

/** `trend EVALUATION`: the completed Runs of an Evaluation, one after the other. */
export function trendCommand(): Command {
  return new Command('trend')
    .summary('Print how the Runs of an Evaluation changed')
    .description(
      'Print the reduction of each Scenario in the completed Runs of an Evaluation, the oldest first, and where it changed. Rounds of different Runs are not paired: a change can come from the network, the hosts or the browser.',
    )
    .argument('<EVALUATION>', 'its id, or its name')
    .option(
      '--json',
      'print one JSON document: { evaluation, metric, threshold, runs, changes }, where changes are those that are shown',
    )
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (evaluation: string, options: TrendOptions) => {
      const { printTrend } = await import('../comparison/print-trend.ts');
      await printTrend(evaluation, options);
    });
}
