import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '#core/app-error.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome, makeFolder } from '../installation.ts';
import { writeWhole } from '../new-file.ts';
import { readRows } from '../report/read-lines.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { exportReport } from './export-report.ts';
import { exportParquet } from './export-parquet.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import path from 'node:path';
import { z } from 'zod';

interface HarOptions {
  client: ControllerClient;
  /** One Visit of the Run; all when left out. */
  visit: string | undefined;
  /** A file for one Visit, standard output when left out; a folder for all. */
  output: string | undefined;
}

const RowSchema = z.object({
  visit_id: z.string(),
  block: z.number(),
  scenario: z.string(),
  user_agent: z.string(),
  status: z.enum(['ok', 'failed']),
});
type Row = z.infer<typeof RowSchema>;

export interface ExportOptions extends ControllerOptions {
  format: 'csv' | 'json' | 'parquet' | 'har' | 'html' | 'bundle';
  visit?: string;
  output?: string;
  from?: LatencyOrigin;
  verbose?: true;
}

/** Writes every Visit of a Run, or its bundle, to a file or standard output, as it comes; its HARs to a folder, its report to one file. A file is written whole or not at all. */
export async function exportRun(run: string, { format, ...options }: ExportOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const { output, visit, from } = options;
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  if (visit !== undefined && format !== 'har')
    throw new AppError('invalid-input', `--visit needs --format har: ${format} is for the whole Run`);
  if (from !== undefined && (format === 'har' || format === 'bundle'))
    throw new AppError(
      'invalid-input',
      `--from needs --format csv, json, parquet or html: ${format} has all times from navigation start${format === 'bundle' ? ', and "report BUNDLE --from" counts them' : ''}`,
    );
  if (format === 'bundle' && output === undefined && process.stdout.isTTY)
    throw new AppError('invalid-input', 'A bundle is binary: write it to a file with --output run.bundle.gz');
  try {
    if (format === 'har') await exportHars(run, { client, visit, output });
    else if (format === 'parquet') await exportParquet(run, { client, output, from });
    else if (format === 'html') await exportReport(run, { client, output, from });
    else {
      const response = await (format === 'bundle' ? client.openBundle(run) : client.openVisits(run, format, from));
      const source = response.body as ReadableStream<Uint8Array>;
      if (output === undefined) await pipeline(source, process.stdout, { end: false, signal });
      else await writeWhole(output, source, signal);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'EPIPE') return; // `| head` has seen enough
    throw new AppError(
      'internal',
      `Run ${run} was not written completely${output === undefined ? '' : ` to ${output}`}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Writes the HTTP Archive of one Visit of a Run, or of every Visit that has one, each to a file of its own. */
async function exportHars(run: string, { client, visit, output }: HarOptions): Promise<void> {
  if (visit === undefined && output === undefined) {
    throw new AppError(
      'invalid-input',
      'Each Visit has its own HAR: name a folder with --output FOLDER, or one Visit with --visit ID',
    );
  }
  const rows: Row[] = [];
  const sent = await client.openVisits(run, 'jsonl');
  for await (const row of readRows(sent, { run, row: RowSchema, counted: 'visits' }))
    if (visit === undefined || row.visit_id === visit) rows.push(row);
  if (visit === undefined) return writeAll(rows, { client, folder: output! });
  if (rows.length === 0)
    throw new AppError('not-found', `Run ${run} has no Visit ${visit}: "export ${run} --format csv" lists them`);
  const har = await (await client.openHar(visit)).text();
  if (output === undefined) process.stdout.write(`${har}\n`);
  else await writeWhole(output, [har]);
}

async function writeAll(
  rows: readonly Row[],
  { client, folder }: { client: ControllerClient; folder: string },
): Promise<void> {
  makeFolder(folder);
  const missing = { ok: 0, failed: 0 };
  for (const row of rows) {
    const har = await readHar(client, row.visit_id);
    if (har === null) missing[row.status]++;
    else await writeWhole(path.join(folder, nameFile(row)), [har]);
  }
  const remarks = [
    `${rows.length - missing.ok - missing.failed} HARs are in ${folder}`,
    ...(missing.failed > 0 ? [`${missing.failed} Visits failed without a Snapshot, and have none`] : []),
    ...(missing.ok > 0 ? [`the retention setting deleted the Snapshots of ${missing.ok} Visits, which have none`] : []),
  ];
  process.stderr.write(`${remarks.join('; ')}\n`);
}

/** Null when nothing was seen of its page, or its Snapshot was deleted. */
async function readHar(client: ControllerClient, visitId: string): Promise<string | null> {
  try {
    return await (await client.openHar(visitId)).text();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

function nameFile({ block, scenario, user_agent: userAgent, visit_id: visitId }: Row): string {
  return `block-${block}-${scenario}-${userAgent}-${visitId}`.replace(/[^\w.-]+/g, '_') + '.har';
}
