import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { captureColumns } from '#controller/api/capture-columns.ts';
import { visitColumns } from '#controller/api/visit-columns.ts';
import { AppError } from '#core/app-error.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { ControllerClient } from '../../controller/controller-client.ts';
import { readLines } from '../../report/read-lines.ts';
import { describeTable } from './describe-table.ts';
import { ParquetTable } from './parquet-table.ts';
import { listReadings, readingColumns } from './reading-rows.ts';
import { writeCaptures } from './write-captures.ts';

interface ParquetOptions {
  client: ControllerClient;
  /** The folder. */
  output: string | undefined;
  from?: LatencyOrigin | undefined;
  /** Rows of Visits in a row group; of Readings, ten times as many. */
  groupSize?: number;
}

const VisitLineSchema = z.looseObject({ visit_id: z.string(), absences: z.record(z.string(), z.string()) });
const LineSchema = z.union([VisitLineSchema, z.strictObject({ visits: z.int() })]);
const longestLine = 1_000_000;

/**
 * Writes a Run as three Parquet files: `visits`, with the columns of the CSV, `readings`, with a row for each metric of each Visit, and `captures`, with the packet statistics of each
 * Pass and Capture Point. They are written while the Controller sends.
 */
export async function exportParquet(
  run: string,
  { client, output, from, groupSize = 10_000 }: ParquetOptions,
): Promise<void> {
  if (output === undefined)
    throw new AppError('invalid-input', 'Parquet is several files: name a folder with --output FOLDER');
  const [summary, method] = await Promise.all([client.readRun(run), client.readMethod(run)]);
  const response = await client.openVisits(run, 'jsonl', from);
  await mkdir(output, { recursive: true });
  const open = (name: string, columns: typeof readingColumns, size: number) =>
    ParquetTable.open({
      file: path.join(output, `${name}.parquet`),
      columns,
      metadata: describeTable(columns, { summary, method }),
      groupSize: size,
    });
  await using visits = await open('visits', visitColumns, groupSize);
  await using readings = await open('readings', readingColumns, 10 * groupSize);

  await using captures = await open('captures', captureColumns, groupSize);

  let count = 0;
  let announced: number | null = null;
  for await (const { text } of readLines(response.body!, { limit: longestLine })) {
    const line = LineSchema.parse(JSON.parse(text));
    if ('absences' in line) {
      await visits.add(line);
      for (const reading of listReadings(line)) await readings.add(reading);
      count++;
    } else {
      announced = line.visits;
    }
  }
  if (announced !== count) throw new AppError('internal', `Run ${run} was not received completely: export it again`);
  await writeCaptures(run, { client, table: captures });
  await visits.finish();
  await readings.finish();
  await captures.finish();
  process.stderr.write(
    `${count} Visits are in ${path.join(output, 'visits.parquet')}, readings.parquet and captures.parquet\n`,
  );
}
