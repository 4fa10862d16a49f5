import { computeComparison } from '#core/comparison/compute-comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { formatComparison } from '../comparison/format-comparison.ts';
import { wantsColour } from '../comparison/format-table.ts';
import { gatherRecord } from './gather-record.ts';
import { readBundle } from './read-bundle.ts';

export interface ReportOptions {
  json?: true;
  from?: LatencyOrigin;
  verbose?: true;
}

/** Makes the report of a bundle: with --json exactly the bytes that the Controller returns. */
export async function runReport(file: string, { json, from }: ReportOptions): Promise<void> {
  const comparison = computeComparison(await gatherRecord(readBundle(file), file), from);
  process.stdout.write(
    json
      ? `${JSON.stringify(comparison)}\n`
      : `\n${formatComparison(comparison, { isColoured: wantsColour(process.stdout, process.env) })}\n`,
  );
}
