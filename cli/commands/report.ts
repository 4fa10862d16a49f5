import { Command } from 'commander';
import { fromOption } from './option-parsers.ts';
import type { ReportOptions } from '../report/run-report.ts';

/** `report BUNDLE`: the report of a Run, without its Controller. */
export function reportCommand(): Command {
  return new Command('report')
    .summary('Make the report of a Run from its bundle')
    .description(
      'Make the report of a Run from a bundle that "export RUN --format bundle" wrote. It equals the Controller’s report and needs no Controller.',
    )
    .argument('<BUNDLE>', 'the bundle file')
    .option('--json', 'print the Evaluation Comparison as one JSON document, exactly as the Controller returns it')
    .addOption(fromOption())
    .action(async (file: string, options: ReportOptions) => {
      const { runReport } = await import('../report/run-report.ts');
      await runReport(file, options);
    });
}
