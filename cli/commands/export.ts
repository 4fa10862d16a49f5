import { Command, Option } from 'commander';
import { controllerOption, tokenOption, type ControllerOptions } from './controller-options.ts';

export interface ExportOptions extends ControllerOptions {
  format: 'csv' | 'json';
  output?: string;
  verbose?: true;
}

/** `export RUN`: every Visit of a Run. */
export function exportCommand(): Command {
  return new Command('export')
    .description('Write one row per Visit of a Run. Times are milliseconds from navigation start; no value is empty (csv) or null (json).')
    .argument('<RUN>', 'the id of the Run, as in its address /runs/RUN')
    .addOption(new Option('--format <FORMAT>', 'csv or json').choices(['csv', 'json']).makeOptionMandatory())
    .option('--output <FILE>', 'write to this file instead of standard output')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (run: string, options: ExportOptions) => {
      const { exportVisits } = await import('../export/export-visits.ts');
      await exportVisits(run, options);
    });
}
