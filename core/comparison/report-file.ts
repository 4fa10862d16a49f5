import { z } from 'zod';
import { ComparisonSchema } from './comparison.ts';
import { MeasurementsSchema } from '../figures/measurements.ts';
import { RunMethodSchema } from '../record/run-method.ts';
import { WireComparisonSchema } from './network/wire-comparison.ts';

/** What a report holds that is exported as one file: all that it shows without a Controller. */
export const ReportDataSchema = z.object({
  version: z.literal(1),
  comparison: ComparisonSchema,
  wire: WireComparisonSchema,
  method: RunMethodSchema,
  /** Of its figures; null in a report that was written before there were any. */
  measurements: MeasurementsSchema.nullable().default(null),
});
export type ReportData = z.infer<typeof ReportDataSchema>;

/** The id of the element that holds the data. */
export const reportDataId = 'report-data';

/** Where a Controller serves what makes a report of its data, both built with the web UI. */
export const reportParts = { script: '/report/report.js', style: '/report/report.css' } as const;

/** The report as one HTML document. Its policy forbids it every request, and no text of the data can be taken for markup. */
export function formatReportFile({ data, script, style }: { data: ReportData; script: string; style: string }): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>HTTP-AE report</title>',
    // A `</style` in a style sheet, and a `</script` or `<!--` in a script, can only occur in strings, where a backslash changes nothing.
    `<style>${style.replace(/<\/(?=style)/gi, '<\\/')}</style>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    `<script type="application/json" id="${reportDataId}">${json}</script>`,
    `<script>${script.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '<\\!--')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
