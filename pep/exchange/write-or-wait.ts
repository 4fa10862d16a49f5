import type { Writable } from 'node:stream';

/** Writes, and resolves when more may be written: also when the writable was closed meanwhile. */
export async function writeOrWait(writable: Writable, bytes: Buffer): Promise<void> {
  if (writable.destroyed || writable.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      writable.off('drain', done);
      writable.off('close', done);
      resolve();
    };
    writable.on('drain', done);
    writable.on('close', done);
  });
}
