import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { ParquetWriter, ByteWriter, type BasicType, type SchemaElement } from 'hyparquet-writer';
import { captureColumns } from '#controller/captures/capture-columns.ts';
import { visitColumns } from '#controller/visits/visit-columns.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { TypedColumn } from '#core/export/format-csv-row.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { catalogue, metricIds } from '#core/metrics/index.ts';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ControllerClient } from '../controller/controller-client.ts';
import { readRows } from '../report/read-lines.ts';
import { makeFolder } from '../installation.ts';

/** What says where a Visit belongs, and whether it counts. */
const keys = [
  'run',
  'block',
  'scenario',
  'user_agent',
  'url',
  'repetition',
  'status',
  'warm_up',
  'round_state',
  'excluded',
  'visit_id',
];

/** From when the value counts. */
const origin = 'latencies_from';

const readingColumns: readonly TypedColumn[] = [
  ...keys.map((key) => visitColumns.find(({ name }) => name === key)!),
  { name: 'metric', type: 'text' },
  { name: 'unit', type: 'text' },
  { name: 'value', type: 'number' },
  { name: 'absence', type: 'text' },
  visitColumns.find(({ name }) => name === origin)!,
];

const columnOfMetric = new Map(
  visitColumns.flatMap(({ name, metric }) => (metric === undefined ? [] : [[metric, name] as const])),
);

interface ParquetOptions {
  client: ControllerClient;
  /** The folder. */
  output: string | undefined;
  from?: LatencyOrigin | undefined;
  /** Rows of Visits in a row group; of Readings, ten times as many. */
  groupSize?: number;
}

const VisitLineSchema = z.looseObject({ visit_id: z.string(), absences: z.record(z.string(), z.string()) });
const CaptureLineSchema = z.looseObject({ capture_id: z.string() });

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
  makeFolder(output);
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
  for await (const line of readRows(response, { run, row: VisitLineSchema, counted: 'visits' })) {
    await visits.add(line);
    for (const reading of listReadings(line)) await readings.add(reading);
    count++;
  }
  const captured = await client.openCaptures(run);
  for await (const line of readRows(captured, { run, row: CaptureLineSchema, counted: 'captures' }))
    await captures.add(line);
  await visits.finish();
  await readings.finish();
  await captures.finish();
  process.stderr.write(
    `${count} Visits are in ${path.join(output, 'visits.parquet')}, readings.parquet and captures.parquet\n`,
  );
}

/** What a file says of itself, as JSON: the Run, how it was measured, and the unit and meaning of each column. */
function describeTable(
  columns: readonly TypedColumn[],
  { summary, method }: { summary: RunSummary; method: RunMethod },
): Record<string, string> {
  const { id, evaluationName, state } = summary;
  const described = columns.map(({ name, unit, definition }) => [name, { unit: unit ?? null, definition }]);
  return {
    'http_ae.run': JSON.stringify({ run: Number(id), evaluation: evaluationName, state }),
    'http_ae.method': JSON.stringify(method),
    'http_ae.columns': JSON.stringify(Object.fromEntries(described)),
  };
}

/** A row for each metric of a Visit that has a value, or a reason why it has none. */
function listReadings(visit: Row & { absences: Readonly<Record<string, string>> }): Row[] {
  const own = Object.fromEntries(keys.map((key) => [key, visit[key]]));
  return metricIds.flatMap((metric) => {
    const value = visit[columnOfMetric.get(metric)!] ?? null;
    const absence = value === null ? visit.absences[metric] : undefined;
    return value === null && absence === undefined
      ? []
      : [{ ...own, metric, unit: catalogue[metric].unit, value, absence, [origin]: visit[origin] }];
  });
}

/** Writes to a file at each `flush`, which is called after each row group: no more than one is held in memory. */
class FileWriter extends ByteWriter {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  async flush(): Promise<void> {
    const bytes = this.getBytes();
    for (let written = 0; written < bytes.length;) written += (await this.#file.write(bytes, written)).bytesWritten;
    this.index = 0;
  }
}

type Row = Readonly<Record<string, unknown>>;

interface TableOptions {
  file: string;
  columns: readonly TypedColumn[];
  /** What readers find in the file beside its columns; values are texts. */
  metadata: Readonly<Record<string, string>>;
  /** In rows. */
  groupSize: number;
}

const elements = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
} as const satisfies Record<TypedColumn['type'], Partial<SchemaElement> & { type: BasicType }>;

/** A table in a Parquet file, compressed by zstd. One row group is held in memory. Until `finish`, the file has another name; without it, the file is removed. */
class ParquetTable implements AsyncDisposable {
  readonly #options: TableOptions;
  readonly #sink: FileWriter;
  readonly #writer: ParquetWriter;
  readonly #close: () => Promise<void>;
  #rows: Row[] = [];
  #isFinished = false;

  static async open(options: TableOptions): Promise<ParquetTable> {
    const file = await open(draftOf(options.file), 'w');
    return new ParquetTable(options, new FileWriter(file), () => file.close());
  }

  private constructor(options: TableOptions, sink: FileWriter, close: () => Promise<void>) {
    const { columns, metadata } = options;
    this.#options = options;
    this.#sink = sink;
    this.#close = close;
    this.#writer = new ParquetWriter({
      writer: sink,
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elements[type] })),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'HTTP-AE',
    });
  }

  async add(row: Row): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#options.groupSize) await this.#writeGroup();
  }

  async finish(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup();
    await this.#writer.finish();
    await this.#sink.flush();
    await this.#close();
    this.#isFinished = true;
    await rename(draftOf(this.#options.file), this.#options.file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFinished) return;
    await this.#close();
    await rm(draftOf(this.#options.file), { force: true });
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    await this.#writer.write({
      columnData: this.#options.columns.map((column) => ({
        name: column.name,
        data: rows.map((row) => toStored(row[column.name], column)),
      })),
      rowGroupSize: rows.length,
    });
  }
}

function draftOf(file: string): string {
  return `${file}.part`;
}

/** Throws TypeError at a value that is not of the type of its column. */
function toStored(value: unknown, { name, type }: TypedColumn): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
      if (Number.isSafeInteger(value)) return BigInt(value as number);
      break;
    case 'number':
    case 'boolean':
      if (typeof value === type) return value;
      break;
    case 'text':
      if (typeof value === 'string') return value;
      break;
    case 'time': {
      const time = typeof value === 'string' ? new Date(value) : null;
      if (time !== null && !Number.isNaN(time.getTime())) return time;
    }
  }
  throw new TypeError(`${JSON.stringify(value)} of ${name} is no ${type}`);
}
