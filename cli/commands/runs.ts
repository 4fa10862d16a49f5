import { Command } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import { readRunCount } from './option-parsers.ts';
import type { RunsOptions } from '../runs/list-runs.ts';

/** `runs`: the Runs of a Controller. */
export function runsCommand(): Command {
  return new Command('runs')
    .summary('List the Runs with their outcome')
    .description('List the newest Runs with their state, Rounds, Visits and outcome, the newest first.')
    .option('--limit <NUMBER>', 'how many', readRunCount, 20)
    .option('--json', 'print one JSON document: the Runs as GET /api/runs returns them')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (options: RunsOptions) => {
      const { listRuns } = await import('../runs/list-runs.ts');
      await listRuns(options);
    });
}
