/**
 * A TrueType font of one glyph, a box, that is used for every printable ASCII character: real enough for a browser to take
 * it and to draw text with it. https://learn.microsoft.com/typography/opentype/spec/otff
 */
export function buildFont(): Buffer {
  const tables: [tag: string, content: Buffer][] = [
    ['OS/2', buildOs2()],
    ['cmap', buildCmap()],
    ['glyf', boxGlyph],
    ['head', buildHead()],
    ['hhea', u16(1, 0, ascender, descender, 0, advance, 0, 0, advance, 1, 0, 0, 0, 0, 0, 0, 0, 2)],
    ['hmtx', u16(advance, 0, advance, 0)],
    ['loca', u16(0, 0, boxGlyph.length / 2)],
    ['maxp', u16(1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['name', u16(0, 0, 6)],
    ['post', Buffer.concat([u32(0x0003_0000, 0), u16(-100, 50), u32(0, 0, 0, 0, 0)])],
  ];
  return assembleFont(tables);
}

const unitsPerEm = 1000;
const ascender = 800;
const descender = -200;
const advance = 600;
const firstCharacter = 0x20;
const lastCharacter = 0x7e;

/** One contour from (50, 0) to (550, 700): bounds, its last point, no instructions, four points on the curve, their deltas. */
const boxGlyph = Buffer.concat([
  u16(1, 50, 0, 550, 700, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  u16(50, 0, 500, 0),
  u16(0, 700, 0, -700),
]);

function buildHead(): Buffer {
  const created = u32(0, 0);
  return Buffer.concat([
    u32(0x0001_0000, 0x0001_0000, 0, 0x5f0f_3cf5),
    u16(0b1011, unitsPerEm),
    created,
    created,
    u16(0, 0, advance, ascender, 0, 8, 2, 0, 0),
  ]);
}

/** Format 4: the printable characters, each looked up in a list that has the box for all of them; then the closing segment. */
function buildCmap(): Buffer {
  const glyphs = Array.from({ length: lastCharacter - firstCharacter + 1 }, () => 1);
  const segments = u16(4, 4, 1, 0, lastCharacter, 0xffff, 0, firstCharacter, 0xffff, 0, 1, 4, 0, ...glyphs);
  return Buffer.concat([u16(0, 1, 3, 1), u32(12), u16(4, segments.length + 6, 0), segments]);
}

function buildOs2(): Buffer {
  const [weight, width] = [400, 5];
  const scripts = u16(650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0);
  const panose = Buffer.alloc(10);
  return Buffer.concat([
    u16(3, advance, weight, width, 0),
    scripts,
    panose,
    u32(1, 0, 0, 0),
    Buffer.from('HTAE'),
    u16(0x40, firstCharacter, lastCharacter, ascender, descender, 0, ascender, -descender),
    u32(1, 0),
    u16(500, 700, 0, firstCharacter, 1),
  ]);
}

/** The table directory, then the tables at multiples of four. Checksums stay 0: browsers compute them again. */
function assembleFont(tables: [tag: string, content: Buffer][]): Buffer {
  const powerOfTwo = 2 ** Math.floor(Math.log2(tables.length));
  const header = Buffer.concat([
    u32(0x0001_0000),
    u16(tables.length, powerOfTwo * 16, Math.log2(powerOfTwo), (tables.length - powerOfTwo) * 16),
  ]);
  let offset = header.length + tables.length * 16;
  const directory: Buffer[] = [];
  const contents: Buffer[] = [];
  for (const [tag, content] of tables) {
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
    directory.push(Buffer.from(tag), u32(0, offset, content.length));
    contents.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header, ...directory, ...contents]);
}

/** Big-endian 16-bit words; negative ones in two's complement. */
function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, index * 2));
  return bytes;
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}
