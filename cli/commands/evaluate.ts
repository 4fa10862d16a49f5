import { Command } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import type { EvaluateOptions } from '../evaluate/evaluate-file.ts';

/** `evaluate FILE.yaml`: stores an Evaluation and runs it. */
export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('Store an Evaluation and run it. What is wrong with the file is told with its line, and then nothing is stored.')
    .argument('<FILE.yaml>', 'the Evaluation')
    .option('--wait', 'follow the Run to its end and print the comparison; then 0 means that the Run completed')
    .option('--estimate', 'store and run nothing: tell how many Rounds and how long a Run would take, by the newest Run of an Evaluation of that name')
    .option('--json', 'print one JSON document: { run, reportUrl }, where run is the number of the Run; with --wait { run, reportUrl, comparison }, with --estimate what is told')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (file: string, options: EvaluateOptions) => {
      const { evaluateFile } = await import('../evaluate/evaluate-file.ts');
      await evaluateFile(file, options);
    });
}
