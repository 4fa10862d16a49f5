import { Command, Option } from 'commander';
import { controllerOption, tokenOption } from './controller-options.ts';
import { fromOption } from './option-parsers.ts';
import type { ExportOptions } from '../export/export-run.ts';

/** `export RUN`: every Visit of a Run, or all that is stored of it. */
export function exportCommand(): Command {
  return new Command('export')
    .summary('Export a Run as rows, HAR, report or bundle')
    .description(
      'Export a Run. Formats csv and json have one row per Visit; docs/data-dictionary.md describes the columns. Format parquet has them with types and units, for DuckDB and pandas, in a folder. Format har has the requests, one file per Visit. Format html is the report as one file that opens offline. Format bundle is all stored data; "report" makes the report from it.',
    )
    .argument('<RUN>', 'the id of the Run, as in its address /runs/RUN')
    .addOption(
      new Option('--format <FORMAT>', 'csv, json, parquet, har, html or bundle')
        .choices(['csv', 'json', 'parquet', 'har', 'html', 'bundle'])
        .makeOptionMandatory(),
    )
    .option('--visit <ID>', 'with har: only this Visit')
    .option(
      '--output <FILE>',
      'write to this file instead of standard output; for parquet and the HARs of all Visits: to this folder',
    )
    .addOption(fromOption())
    .addOption(controllerOption())
    .addOption(tokenOption())
    .action(async (run: string, options: ExportOptions) => {
      const { exportRun } = await import('../export/export-run.ts');
      await exportRun(run, options);
    });
}
