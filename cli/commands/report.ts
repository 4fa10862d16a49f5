import { Command } from 'commander';
import type { ReportOptions } from '../report/run-report.ts';

/** `report BUNDLE`: the report of a Run, without its Controller. */
export function reportCommand(): Command {
  return new Command('report')
    .description('Make the report of a Run anew from a bundle that "export RUN --format bundle" wrote: the same as the Controller’s, and without one.')
    .argument('<BUNDLE>', 'the file')
    .option('--json', 'print the Evaluation Comparison as one JSON document, just as the Controller answers it')
    .action(async (file: string, options: ReportOptions) => {
      const { runReport } = await import('../report/run-report.ts');
      await runReport(file, options);
    });
}
