import { Argument, Command, Option } from 'commander';
import { latencyIds } from '#core/metrics/index.ts';
import { controllerOption, tokenOption } from './controller-options.ts';
import { readRunId, fromOption } from './option-parsers.ts';
import type { CompareOptions } from '../comparison/compare-runs.ts';

/** `compare A B`: the Scenarios of two Runs beside each other. */
export function compareCommand(): Command {
  return new Command('compare')
    .summary('Print two Runs side by side')
    .description(
      'Print the Scenarios of two Runs side by side. It states how each Scenario of B differs from the same Scenario of A, and whether its reduction changed. Rounds of different Runs are not paired: each difference includes all changes between the Runs.',
    )
    .addArgument(new Argument('<A>', 'the id of the reference Run, as "runs" lists it').argParser(readRunId))
    .addArgument(new Argument('<B>', 'the id of the other Run').argParser(readRunId))
    .addOption(
      new Option('--metric <METRIC>', 'the latency to compare (default: the main one of A)').choices([...latencyIds]),
    )
    .option('--json', 'print one JSON document: { metric, countedFrom, differences, scenarios }')
    .addOption(fromOption())
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (a: string, b: string, options: CompareOptions) => {
      const { compareRuns } = await import('../comparison/compare-runs.ts');
      await compareRuns([a, b], options);
    });
}
