import { Argument, Command } from 'commander';
import { assertionOptions } from './assertion-options.ts';
import { controllerOption, tokenOption } from './controller-options.ts';
import { labelOption, readAddedRounds, readRunId, fromOption } from './option-parsers.ts';
import type { AgainOptions, ContinueOptions } from '../runs/add-to-run.ts';

/** `add-rounds RUN [NUMBER]`: a completed Run gets more Rounds. */
export function addRoundsCommand(): Command {
  return withOptions(
    new Command('add-rounds')
      .summary('Add Rounds to a completed Run')
      .description(
        'Add Rounds of each Scenario to a completed Run. Its intervals are then corrected for one more look at the result: see docs/statistics.md.',
      )
      .addArgument(runArgument())
      .addArgument(
        new Argument(
          '[NUMBER]',
          'Rounds of each Scenario (default: as many as the observed variation asks for)',
        ).argParser(readAddedRounds),
      ),
  ).action(async (run: string, rounds: number | undefined, options: ContinueOptions) => {
    const { addRounds } = await import('../runs/add-to-run.ts');
    await addRounds(run, rounds, options);
  });
}

/** `again RUN`: the same once more. */
export function againCommand(): Command {
  return withOptions(
    new Command('again')
      .summary('Start a Run of the same configuration as another')
      .description('Start a Run of the same configuration as another, even if its Evaluation has changed since.')
      .addArgument(runArgument())
      .addOption(labelOption()),
  ).action(async (run: string, options: AgainOptions) => {
    const { runAgain } = await import('../runs/add-to-run.ts');
    await runAgain(run, options);
  });
}

function runArgument(): Argument {
  return new Argument('<RUN>', 'the id of a Run, as "runs" lists it').argParser(readRunId);
}

function withOptions(command: Command): Command {
  command
    .option('--wait', 'wait for the end of the Run and print the comparison')
    .option('--json', 'print one JSON document: { run, reportUrl }; with --wait { run, reportUrl, comparison }');
  for (const option of assertionOptions()) command.addOption(option);
  return command.addOption(fromOption()).addOption(controllerOption()).addOption(tokenOption());
}
