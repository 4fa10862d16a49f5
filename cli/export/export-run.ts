import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '#core/app-error.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { findHome } from '../find-home.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { exportHars } from './export-hars.ts';
import { exportReport } from './export-report.ts';
import { exportParquet } from './parquet/export-parquet.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';

export interface ExportOptions extends ControllerOptions {
  format: 'csv' | 'json' | 'parquet' | 'har' | 'html' | 'bundle';
  visit?: string;
  output?: string;
  from?: LatencyOrigin;
  verbose?: true;
}

/** Writes every Visit of a Run, or its bundle, to a file or standard output, as it comes; its HARs to a folder, its report to one file. */
export async function exportRun(
  run: string,
  { format, output, visit, from, ...options }: ExportOptions,
): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const client = new ControllerClient(await findController(options, findHome(process.env)), signal);
  if (visit !== undefined && format !== 'har')
    throw new AppError('invalid-input', `--visit needs --format har: ${format} is for the whole Run`);
  if (from !== undefined && (format === 'har' || format === 'bundle'))
    throw new AppError(
      'invalid-input',
      `--from needs --format csv, json, parquet or html: ${format} has all times from navigation start${format === 'bundle' ? ', and "report BUNDLE --from" counts them' : ''}`,
    );
  if (format === 'har') {
    await exportHars(run, { client, visit, output });
    return;
  }
  if (format === 'parquet') {
    await exportParquet(run, { client, output, from });
    return;
  }
  if (format === 'html') {
    await exportReport(run, { client, output, from });
    return;
  }
  if (format === 'bundle' && output === undefined && process.stdout.isTTY) {
    throw new AppError('invalid-input', 'A bundle is binary: write it to a file with --output run.bundle.gz');
  }
  const response = await (format === 'bundle' ? client.openBundle(run) : client.openVisits(run, format, from));
  const source = Readable.fromWeb(response.body as ReadableStream);
  try {
    if (output === undefined) await pipeline(source, process.stdout, { end: false, signal });
    else await pipeline(source, createWriteStream(output), { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if ((cause as NodeJS.ErrnoException).code === 'EPIPE') return; // `| head` has seen enough
    throw new AppError(
      'internal',
      `Run ${run} was not written completely${output === undefined ? '' : ` to ${output}`}: ${(cause as Error).message}`,
      { cause },
    );
  }
}
