import { AppError } from '../app-error.ts';

/** Of what people write: Evaluations, inventories, traces, keys. A Controller takes 1 MB of an Evaluation, with all that is put into it. */
export const maximumTextBytes = 4_000_000;

/**
 * The text that bytes of a person are in UTF-8, without a byte order mark. `name` is what has them, as the message says it. Throws `invalid-input` for all that is no UTF-8: a decoder
 * that puts U+FFFD in place of a wrong byte makes an address, a name or a password that nobody wrote.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const other = findOtherEncoding(bytes);
  if (other !== null)
    throw new AppError(
      'invalid-input',
      `${name} is ${other}, and must be UTF-8. Save it as UTF-8, or convert it: iconv -f ${other} -t UTF-8`,
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const advice = 'Save it as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8';
    throw refuseByte(bytes, { name, offset: findBadByte(bytes), fault: 'is not UTF-8', advice });
  }
  const zero = bytes.indexOf(0);
  if (zero === -1) return text;
  throw refuseByte(bytes, { name, offset: zero, fault: 'is in no text', advice: 'Name a text in UTF-8' });
}

/** By its mark, or by the zero that each letter of ASCII has beside it; null where neither is there. */
function findOtherEncoding([first, second, third, fourth]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  if (first === 0xfe && second === 0xff) return 'UTF-16';
  if (first === undefined || second === undefined) return null;
  if (first !== 0 && second === 0 && third !== 0) return 'UTF-16LE';
  return first === 0 && second !== 0 && third === 0 ? 'UTF-16BE' : null;
}

/** Where the first sequence begins that is not UTF-8: encoded again, all before it is the same, and a mark of replacement is there. */
function findBadByte(bytes: Uint8Array): number {
  const again = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let offset = again.findIndex((byte, index) => byte !== bytes[index]);
  // A wrong sequence may begin as that mark does.
  while ((again[offset]! & 0xc0) === 0x80) offset--;
  return offset;
}

function refuseByte(
  bytes: Uint8Array,
  { name, offset, fault, advice }: { name: string; offset: number; fault: string; advice: string },
): AppError {
  const line = bytes.subarray(0, offset).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
  const hex = bytes[offset]!.toString(16).padStart(2, '0').toUpperCase();
  return new AppError(
    'invalid-input',
    `${name}, line ${line}: the byte ${hex} at offset ${offset} ${fault}. ${advice}`,
  );
}
