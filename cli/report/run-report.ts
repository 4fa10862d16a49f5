import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { formatComparison } from '../comparison/format-comparison.ts';
import { wantsColour } from '../comparison/wants-colour.ts';
import { gatherRecord } from './gather-record.ts';
import { readBundle } from './read-bundle.ts';

export interface ReportOptions {
  json?: true;
  verbose?: true;
}

/** Makes the report of a bundle: with --json exactly the bytes that the Controller returns. */
export async function runReport(file: string, { json }: ReportOptions): Promise<void> {
  const comparison = computeComparison(await gatherRecord(readBundle(file), file));
  process.stdout.write(
    json
      ? `${JSON.stringify(comparison)}\n`
      : `\n${formatComparison(comparison, { isColoured: wantsColour(process.stdout, process.env) })}\n`,
  );
}
