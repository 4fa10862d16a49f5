import type { FileHandle } from 'node:fs/promises';
import { ByteWriter } from 'hyparquet-writer';

/** Writes to a file at each `flush`, which is called after each row group: no more than one is held in memory. */
export class FileWriter extends ByteWriter {
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
