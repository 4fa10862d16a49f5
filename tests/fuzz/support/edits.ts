import fc from 'fast-check';
import { z } from 'zod';

const place = z.number().min(0).max(1);
const placeArbitrary = fc.double({ min: 0, max: 1, noNaN: true });

/** A change of a text at a place from 0 to 1, after all lengths have been made right. */
export const TextEditSchema = z.strictObject({
  at: place,
  cut: z.int().min(0).max(1000),
  insert: z.string().max(1000),
});
export const ByteEditSchema = z.strictObject({
  at: place,
  cut: z.int().min(0).max(1000),
  insert: z.array(z.int().min(0).max(255)).max(64),
});

/** Mostly none, so that what is behind the reading of the text is reached. */
export const textEdits = rarely(fc.record({ at: placeArbitrary, cut: fc.nat(5), insert: fc.string({ maxLength: 5 }) }));
export const byteEdits = rarely(
  fc.record({ at: placeArbitrary, cut: fc.nat(5), insert: fc.array(fc.nat(255), { maxLength: 5 }) }),
);

function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<Value[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 3 }) },
  );
}

export function editText(text: string, edits: z.infer<typeof TextEditSchema>[]): string {
  return edits.reduce((edited, { at, cut, insert }) => {
    const start = Math.floor(at * edited.length);
    return edited.slice(0, start) + insert + edited.slice(start + cut);
  }, text);
}

export function editBytes(bytes: Uint8Array, edits: z.infer<typeof ByteEditSchema>[]): Uint8Array {
  return edits.reduce((edited, { at, cut, insert }) => {
    const start = Math.floor(at * edited.length);
    return new Uint8Array(
      Buffer.concat([edited.subarray(0, start), Uint8Array.from(insert), edited.subarray(start + cut)]),
    );
  }, bytes);
}
