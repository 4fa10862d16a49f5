import type { Snapshot } from '#core/metrics/snapshot.ts';
import { buildHar, type HarVisit } from './build-har.ts';
import { decompressSnapshot, parseSnapshot, SnapshotTooLargeError } from './compressed-snapshot.ts';

/** A Snapshot as the database has it: as its Agent compressed it, or, where an earlier version stored it, as JSON. */
export type StoredSnapshot = Uint8Array | string;

/** As what a Snapshot is written. `jsonb`: to the byte as PostgreSQL would. */
export type SnapshotForm =
  | { kind: 'json' }
  | { kind: 'jsonb' }
  | { kind: 'har'; visit: HarVisit; creatorVersion: string };

/** Throws as `readStoredSnapshot` does. */
export function writeSnapshot(stored: StoredSnapshot, form: SnapshotForm, mostBytes?: number): string {
  const snapshot = readStoredSnapshot(stored, mostBytes);
  if (form.kind === 'har') return JSON.stringify(buildHar(snapshot, form));
  return form.kind === 'jsonb' ? formatAsJsonb(snapshot) : JSON.stringify(snapshot);
}

/** Throws SnapshotTooLargeError where its JSON has more bytes than `mostBytes`, before any of it is parsed, and any other error where it is no Snapshot. */
export function readStoredSnapshot(stored: StoredSnapshot, mostBytes?: number): Snapshot {
  return parseSnapshot(readJson(stored, mostBytes));
}

function readJson(stored: StoredSnapshot, mostBytes?: number): string {
  if (typeof stored !== 'string') return decompressSnapshot(stored, mostBytes);
  if (mostBytes !== undefined && stored.length > mostBytes)
    throw new SnapshotTooLargeError(`The Snapshot has more than ${mostBytes} bytes`);
  return stored;
}

const mostShapes = 1000;
/** By the keys as they came: the objects of a Snapshot have the same ones again and again. */
const known = new Map<string, readonly string[]>();

/**
 * JSON as PostgreSQL writes a jsonb: keys by length, then by their bytes; a space after each colon and comma; numbers without an exponent.
 * https://www.postgresql.org/docs/current/datatype-json.html
 */
export function formatAsJsonb(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatAsJsonb).join(', ')}]`;
  const object = value as Record<string, unknown>;
  const keys = sortKeys(Object.keys(object).filter((key) => object[key] !== undefined));
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${formatAsJsonb(object[key])}`).join(', ')}}`;
}

function sortKeys(keys: string[]): readonly string[] {
  const shape = JSON.stringify(keys);
  const found = known.get(shape);
  if (found) return found;
  const sorted = keys.toSorted((one, other) => {
    const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)];
    return bytes.length - otherBytes.length || Buffer.compare(bytes, otherBytes);
  });
  if (known.size >= mostShapes) known.clear();
  known.set(shape, sorted);
  return sorted;
}

/** JSON.stringify writes an exponent for numbers of 1e21 and more, and for those below 1e-6. */
function formatNumber(value: number): string {
  const text = JSON.stringify(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign, whole, fraction = '', exponent] = parts as unknown as [string, string, string, string?, string?];
  const digits = whole + fraction;
  const places = Number(exponent);
  return sign + (places < 0 ? `0.${'0'.repeat(-places - 1)}${digits}` : digits.padEnd(places + 1, '0'));
}
