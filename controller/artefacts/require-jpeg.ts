import { AppError } from '#core/app-error.ts';

/** How every JPEG file begins: SOI, and the first byte of a marker. ITU-T T.81, B.1.1.2. */
const beginning = Buffer.from([0xff, 0xd8, 0xff]);

/** Passes on what begins as a JPEG does. Throws `invalid-input` for anything else: what a foreign page made must not come back as a document. */
export async function* requireJpeg(contents: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let isJpeg = false;
  for await (const chunk of contents) {
    if (isJpeg) {
      yield chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    if (held.length < beginning.length) continue;
    isJpeg = held.subarray(0, beginning.length).equals(beginning);
    if (!isJpeg) break;
    yield held;
  }
  if (!isJpeg)
    throw new AppError('invalid-input', 'The contents are not a JPEG: only pictures of pages are stored here');
}
