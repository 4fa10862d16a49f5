import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ControllerClient } from '../../controller/controller-client.ts';
import { readLines } from '../../report/read-lines.ts';
import type { ParquetTable } from './parquet-table.ts';

const LineSchema = z.union([z.looseObject({ capture_id: z.string() }), z.strictObject({ captures: z.int() })]);
const longestLine = 1_000_000;

/** Adds a row for each Capture of a Run to the table, while the Controller sends them. */
export async function writeCaptures(
  run: string,
  { client, table }: { client: ControllerClient; table: ParquetTable },
): Promise<void> {
  const response = await client.openCaptures(run);
  let count = 0;
  let announced: number | null = null;
  for await (const { text } of readLines(response.body!, { limit: longestLine })) {
    const line = LineSchema.parse(JSON.parse(text));
    if ('capture_id' in line) {
      await table.add(line);
      count++;
    } else announced = line.captures;
  }
  if (announced !== count) throw new AppError('internal', `Run ${run} was not received completely: export it again`);
}
