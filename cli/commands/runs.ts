import { Argument, Command } from 'commander';
import { AppError } from '#core/app-error.ts';
import { controllerOption, tokenOption } from './controller-options.ts';
import { readRunCount, readRunId } from './option-parsers.ts';
import type { RunsOptions } from '../runs/list-runs.ts';

/** `runs`: the Runs of a Controller. */
export function runsCommand(): Command {
  return new Command('runs')
    .summary('List the Runs with their outcome, or delete some')
    .description(
      'List the newest Runs with their state, Rounds, Visits and outcome. "runs delete RUN" deletes a Run for good, with its Visits and files.',
    )
    .addArgument(new Argument('[ACTION]', 'what to do').choices(['list', 'delete']).default('list'))
    .argument('[RUN...]', 'delete: ids of ended Runs', collectRunIds)
    .option('--limit <NUMBER>', 'how many', readRunCount, 20)
    .option('--yes', 'delete: without a question at the terminal')
    .option('--json', 'print one JSON document: the Runs as GET /api/runs returns them')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (action: 'list' | 'delete', runs: string[] | undefined, options: RunsOptions) => {
      if (action === 'delete') {
        const { deleteRuns } = await import('../runs/delete-runs.ts');
        await deleteRuns(runs ?? [], options);
        return;
      }
      if (runs !== undefined && runs.length > 0)
        throw new AppError('invalid-input', `"runs list" takes no ids, but ${runs.join(' ')} was given`);
      const { listRuns } = await import('../runs/list-runs.ts');
      await listRuns(options);
    });
}

function collectRunIds(text: string, before: string[] = []): string[] {
  return [...before, readRunId(text)];
}
