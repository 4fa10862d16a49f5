import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import { ParquetWriter, type BasicType, type SchemaElement, ByteWriter } from 'hyparquet-writer';
import type { TypedColumn } from '#core/export/typed-column.ts';

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

export type Row = Readonly<Record<string, unknown>>;

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
export class ParquetTable implements AsyncDisposable {
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
