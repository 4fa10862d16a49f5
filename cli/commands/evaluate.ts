import { Command, Option } from 'commander';
import { assertionOptions } from './assertion-options.ts';
import { controllerOption, tokenOption } from './controller-options.ts';
import { labelOption, readEvaluationId, fromOption } from './option-parsers.ts';
import type { EvaluateOptions } from '../evaluate/evaluate-file.ts';

/** `evaluate FILE.yaml`: stores an Evaluation and runs it. */
export function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .summary('Run the Evaluation in a file')
    .description(
      'Run the Evaluation in a file. If one of its name is stored, the Run is one of that, and its trend has all of them. A changed file is a new version of it. If the file has errors, the command lists them with their lines and stores nothing.',
    )
    .argument('<FILE.yaml>', 'the Evaluation')
    .option(
      '--wait',
      'wait for the end of the Run and print the comparison. Exit status 0 then means that the Run completed',
    )
    .addOption(
      new Option(
        '--estimate',
        'store and run nothing: print how many Rounds and how long a Run would take. The basis is the newest Run of the Evaluation of that name, or of --evaluation',
      ).conflicts('wait'),
    )
    .addOption(
      new Option(
        '--pilot',
        'estimate, and if nothing shows how long a Round takes, store the file and run 3 Rounds of each Scenario first',
      ).implies({ estimate: true }),
    )
    .addOption(
      new Option('--new', 'store another Evaluation, even if one of this name is stored').conflicts('evaluation'),
    )
    .addOption(
      new Option(
        '--evaluation <ID>',
        'the stored Evaluation that the file is a version of (default: the one of its name)',
      ).argParser(readEvaluationId),
    )
    .addOption(labelOption())
    .option(
      '--json',
      'print one JSON document: { run, reportUrl }, where run is the number of the Run; with --wait { run, reportUrl, comparison }; with --estimate the estimate',
    );
  for (const option of assertionOptions()) command.addOption(option);
  return command
    .addOption(fromOption())
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (file: string, options: EvaluateOptions) => {
      const { evaluateFile } = await import('../evaluate/evaluate-file.ts');
      await evaluateFile(file, options);
    });
}
