import { formatReportFile, reportParts } from '#core/comparison/report-file.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { writeWhole } from '../new-file.ts';

/** Writes the report of a Run as one HTML file that opens without a network, to standard output when no file is named. */
export async function exportReport(
  run: string,
  { client, output, from }: { client: ControllerClient; output: string | undefined; from?: LatencyOrigin | undefined },
): Promise<void> {
  const comparison = await client.readComparison(run, from);
  const [wire, method, measurements, script, style] = await Promise.all([
    client.readWire(run),
    client.readMethod(run),
    client.readMeasurements(run, from),
    client.readWebFile(reportParts.script),
    client.readWebFile(reportParts.style),
  ]);
  const html = await formatReportFile({ data: { version: 1, comparison, wire, method, measurements }, script, style });
  if (output === undefined) process.stdout.write(html);
  else await writeWhole(output, [html]);
}
