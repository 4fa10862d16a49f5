import { Command, Option } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import type { ExportOptions } from '../export/export-run.ts';

/** `export RUN`: every Visit of a Run, or all that is stored of it. */
export function exportCommand(): Command {
  return new Command('export')
    .description('Write one row per Visit of a Run (csv, json; docs/data-dictionary.md tells the columns), the requests of each Visit (har: one file per Visit), its report as one file that opens without a network (html), or all that is stored of it (bundle), from which "report" makes its report anew.')
    .argument('<RUN>', 'the id of the Run, as in its address /runs/RUN')
    .addOption(new Option('--format <FORMAT>', 'csv, json, har, html or bundle').choices(['csv', 'json', 'har', 'html', 'bundle']).makeOptionMandatory())
    .option('--visit <ID>', 'with har: of this Visit only')
    .option('--output <FILE>', 'write to this file instead of standard output; with har of all Visits, to this folder')
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (run: string, options: ExportOptions) => {
      const { exportRun } = await import('../export/export-run.ts');
      await exportRun(run, options);
    });
}
