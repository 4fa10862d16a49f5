import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { snapshotDictionary } from '#core/columns/snapshot-dictionary.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';

/** What is in the Snapshot many times. */
const parts = {
  objects: '{}',
  lists: '[]',
  'lists in lists': '[[[[[]]]]]',
  'small numbers': '0',
  'large numbers': '-1.7976931348623157e308',
  'numbers beyond': '1e999',
  decimals: '0.001',
  'long digits': '1234567890'.repeat(40),
  nulls: 'null',
  'empty texts': '""',
  texts: '"http://origin.test/0123456789"',
  'texts of two bytes': '"é"',
  'texts that no database stores': String.raw`"\u0000\ud800"`,
  'objects with a field': '{"url":"x"}',
  'objects with many fields': `{${Array.from({ length: 40 }, (_, index) => `"f${index}":0`).join(',')}}`,
  'objects that change what objects are': '{"__proto__":{"x":1},"constructor":0}',
  'columns of nothing': '{"$columns":[]}',
  'columns of a value': '{"$columns":[{"name":"a","values":[0]}]}',
  'columns in columns': '{"$columns":[{"name":"a","values":{"$columns":[{"name":"b","values":[0,0]}]}}]}',
  'columns with holes': '{"$columns":[{"name":"a","values":[0]},{"name":"b","values":[0],"rows":[0]}]}',
} as const;

/** Where the parts are: the text before and after them, and what is between two of them. */
const places = {
  'the whole': ['[', ']'],
  requests: ['{"requests":[', ']}'],
  frames: ['{"frames":[', ']}'],
  'resources of a frame': ['{"frames":[{"path":[],"resources":[', ']}]}'],
  'a field that no Snapshot has': ['{"x":[', ']}'],
  'values of a column': ['{"requests":{"$columns":[{"name":"url","values":[', ']}]}}'],
  'steps of a column': ['{"requests":{"$columns":[{"name":"startEpochMs","steps":[', ']}]}}'],
  'rows of a column': ['{"requests":{"$columns":[{"name":"a","values":[0]},{"name":"b","values":[],"rows":[', ']}]}}'],
  'columns themselves': ['{"requests":{"$columns":[', ']}}'],
  'a list without an end': ['{"requests":[', ''],
  'fields of one name': ['{"x":0,"y":[', '],"x":1}'],
} as const satisfies Record<string, readonly [string, string]>;

const depths = [0, 1, 60, 20_000];
const sizes = [2 ** 10, 2 ** 14, 2 ** 17, 2 ** 20, 2 ** 23];

const packings = {
  zstd: (text: Buffer) => zstdCompressSync(text),
  'zstd against the dictionary': (text: Buffer) =>
    Buffer.concat([
      Buffer.of(snapshotDictionary.mark),
      zstdCompressSync(text, { dictionary: Buffer.from(snapshotDictionary.text) }),
    ]),
  'the mark alone': () => Buffer.of(snapshotDictionary.mark),
  'zstd at its best': (text: Buffer) => zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 15 } }),
  'zstd with a long past': (text: Buffer) =>
    zstdCompressSync(text, {
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 },
    }),
  'zstd frames in a row': (text: Buffer) => Buffer.concat([zstdCompressSync(text), zstdCompressSync(text)]),
  'zstd cut off': (text: Buffer) => zstdCompressSync(text).subarray(0, -3),
  gzip: (text: Buffer) => gzipSync(text),
  'gzip members in a row': (text: Buffer) => Buffer.concat([gzipSync(text), gzipSync(text)]),
  'gzip with more behind': (text: Buffer) => Buffer.concat([gzipSync(text), Buffer.alloc(1000, 1)]),
} as const;

type Choice<Of> = keyof Of & string;

export interface Bomb {
  part: Choice<typeof parts>;
  place: Choice<typeof places>;
  packing: Choice<typeof packings>;
  depth: number;
  bytes: number;
}

const namesOf = <Of extends object>(choices: Of) => Object.keys(choices) as Choice<Of>[];

/** Every kind: each part at each place, so deep, so large and packed so. */
export const allBombs: readonly Bomb[] = namesOf(parts).flatMap((part) =>
  namesOf(places).flatMap((place) =>
    namesOf(packings).flatMap((packing) =>
      depths.flatMap((depth) => sizes.map((bytes): Bomb => ({ part, place, packing, depth, bytes }))),
    ),
  ),
);

const largest = Math.max(...sizes);
/** Of those that may fill the memory of a process, which takes seconds. */
const largeShare = 0.02;

/** So many kinds, no two alike, as the seed decides. */
export function chooseBombs(count: number, seed: number): Bomb[] {
  const random = createRandom(seed);
  const [large, others] = [true, false].map((isLarge) =>
    allBombs.filter(({ bytes }) => (bytes === largest) === isLarge),
  );
  const largeCount = Math.round(count * largeShare);
  return [...draw(large!, largeCount, random), ...draw(others!, count - largeCount, random)];
}

function draw(from: readonly Bomb[], count: number, random: () => number): Bomb[] {
  const bombs = [...from];
  for (let index = 0; index < count; index++) {
    const other = index + Math.floor(random() * (bombs.length - index));
    [bombs[index], bombs[other]] = [bombs[other]!, bombs[index]!];
  }
  return bombs.slice(0, count);
}

/** A few kinds that together have each part, each place, each packing and each depth, up to so large. */
export function chooseFewBombs(mostBytes: number): Bomb[] {
  const small = sizes.filter((bytes) => bytes <= mostBytes);
  const [partNames, placeNames, packingNames] = [namesOf(parts), namesOf(places), namesOf(packings)];
  return Array.from({ length: 2 * partNames.length }, (_, index) => ({
    part: partNames[index % partNames.length]!,
    place: placeNames[index % placeNames.length]!,
    packing: packingNames[index % packingNames.length]!,
    depth: depths[Math.floor(index / 2) % depths.length]!,
    bytes: small[index % small.length]!,
  }));
}

/** What an Agent would send as its Snapshot. */
export function pack({ part, place, packing, depth, bytes }: Bomb): Uint8Array<ArrayBuffer> {
  const [before, after] = places[place];
  const one = parts[part];
  const many = `${`${one},`.repeat(Math.max(1, Math.floor(bytes / (one.length + 1))))}${one}`;
  const text = `${before}${'['.repeat(depth)}${many}${']'.repeat(depth)}${after}`;
  return new Uint8Array(packings[packing](Buffer.from(text)));
}

export const describeBomb = ({ part, place, packing, depth, bytes }: Bomb): string =>
  `${bytes} bytes of ${part} in ${place}, ${depth} deep, ${packing}`;
