import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '#core/input/decode-text.ts';

const decode = (bytes: Uint8Array) => decodeText(bytes, 'a.yaml');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('every text is read as it was written, without the byte order mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF'));
      expect(decode(Buffer.from(text))).toBe(text);
      expect(decode(Buffer.from(`\uFEFF${text}`))).toBe(text);
    }),
  );
  expect(decode(new Uint8Array())).toBe('');
  expect(decode(Buffer.from('a mark of replacement: \uFFFD'))).toContain('\uFFFD');
});

test('bytes that are not UTF-8 are refused with line, offset, and what to do', () => {
  expect(() => decode(latin1('name: a\nurlLists:\n  pages: ["http://a.test/?q=café"]\n'))).toThrow(
    'a.yaml, line 3: the byte E9 at offset 49 is not UTF-8. Save it as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8',
  );
});

test.each([
  ['a byte that begins nothing', [0x61, 0x80], 1],
  ['a character cut at the end', [0x61, 0xe2, 0x82], 1],
  ['half of a surrogate pair', [0x61, 0xed, 0xa0, 0x80, 0x61], 1],
  ['a long form of a short character', [0xc0, 0xaf], 0],
  ['what begins as the mark of replacement does', [0x61, 0xef, 0xbf, 0x61], 1],
  ['the wrong one after a mark of replacement', [0xef, 0xbf, 0xbd, 0xff], 3],
  ['the wrong one after a byte order mark', [0xef, 0xbb, 0xbf, 0x61, 0xff], 4],
])('%s is refused at its offset', (_, bytes, offset) => {
  expect(() => decode(Uint8Array.from(bytes))).toThrow(`at offset ${offset} is not UTF-8`);
});

test.each([
  ['UTF-16', Buffer.from('\uFEFFname: a', 'utf16le')],
  ['UTF-16', Buffer.from('\uFEFFname: a', 'utf16le').swap16()],
  ['UTF-16LE', Buffer.from('name: a', 'utf16le')],
  ['UTF-16BE', Buffer.from('name: a', 'utf16le').swap16()],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
])('a text in %s is named, with how to convert it', (encoding, bytes) => {
  expect(() => decode(bytes)).toThrow(
    `a.yaml is ${encoding}, and must be UTF-8. Save it as UTF-8, or convert it: iconv -f ${encoding} -t UTF-8`,
  );
});

test('a byte 0 is in no text', () => {
  expect(() => decode(Buffer.from('one\ntwo\0'))).toThrow('a.yaml, line 2: the byte 00 at offset 7 is in no text');
});

test('what is refused is refused by the same place as a slow search finds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      fc.pre(!bytes.includes(0) && bytes[0] !== 0xff && bytes[0] !== 0xfe);
      const isText = (length: number) => {
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
          return true;
        } catch {
          return false;
        }
      };
      let failure = '';
      try {
        decode(bytes);
      } catch (error) {
        failure = (error as Error).message;
      }
      const offset = Number(/offset (\d+)/.exec(failure)?.[1] ?? bytes.length);
      // All before it is text, and no more than a character of up to four bytes shows that it is none.
      expect(isText(offset)).toBe(true);
      if (failure !== '') expect(offset + 4 >= bytes.length || !isText(offset + 4)).toBe(true);
    }),
  );
});
