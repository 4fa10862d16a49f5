import { readInt32, readUint16 } from './byte-order.ts';

/** An address as text: dotted, or the canonical text of RFC 5952. */
export function formatAddress(bytes: Uint8Array, offset: number, addressBytes: 4 | 16): string {
  if (addressBytes === 4) return bytes.subarray(offset, offset + 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => readUint16(bytes, offset + 2 * index));
  const { start, length } = findLongestZeroes(groups);
  const write = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? write(groups) : `${write(groups.slice(0, start))}::${write(groups.slice(start + length))}`;
}

function findLongestZeroes(groups: number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > longest.length) longest = { start, length };
  }
  return longest;
}

/** The bytes of an address in text, 4 or 16; null when it is none. */
export function parseAddress(text: string): Uint8Array | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Uint8Array | null {
  const parts = text.split('.');
  const isValid = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isValid ? Uint8Array.from(parts, Number) : null;
}

function parseIpv6(text: string): Uint8Array | null {
  const mapped = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped !== null) {
    const tail = parseIpv4(mapped[2]!);
    return tail === null
      ? null
      : parseIpv6(
          `${mapped[1]!}${(readInt32(tail, 0) >>> 16).toString(16)}:${(readInt32(tail, 0) & 0xffff).toString(16)}`,
        );
  }
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':'))) as [string[], string[] | undefined];
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return Uint8Array.from(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]));
}
