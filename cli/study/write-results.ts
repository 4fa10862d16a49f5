import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { ControllerClient } from '../controller/controller-client.ts';
import { exportReport } from '../export/export-report.ts';
import { bundleFile, reportFile } from './results-folder.ts';

/** Writes the report, the Visits and the bundle of a part into a folder of its own. */
export async function writeResults(
  run: string,
  { client, output, part, signal }: { client: ControllerClient; output: string; part: string; signal: AbortSignal },
): Promise<void> {
  const folder = path.join(output, part);
  await mkdir(folder, { recursive: true });
  const save = async (response: Response, file: string) =>
    pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file), { signal });
  await exportReport(run, { client, output: reportFile(output, part) });
  await save(await client.openVisits(run, 'csv'), path.join(folder, 'visits.csv'));
  await save(await client.openBundle(run), bundleFile(output, part));
}
