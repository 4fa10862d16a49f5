import fc from 'fast-check';
import { z } from 'zod';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';
import type { Wish } from '#core/page-objects/wish.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must } from '../support/promises.ts';

const PieceSchema = z.strictObject({ text: z.string().max(200), times: z.number().int().min(1).max(30_000) });
/** A document is read as HTML, or as XML with what makes its elements known. */
const starts = {
  'text/html; charset=utf-8': '',
  'application/xhtml+xml': '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg">',
};
const InputSchema = z.strictObject({
  contentType: z.enum(['text/html; charset=utf-8', 'application/xhtml+xml']).default('text/html; charset=utf-8'),
  html: z.array(PieceSchema).max(20),
  css: z.array(PieceSchema).max(20),
  scaleRatio: z.number().min(0.1).max(10),
});
type Piece = z.infer<typeof PieceSchema>;
type Input = z.infer<typeof InputSchema>;

/** What costs more than its length does is found by less. */
const mostCharacters = 100_000;

const htmlText = fc.constantFrom(
  ...[
    '<p>',
    '<div>',
    '</p>',
    '<i></i>',
    '<b a=1>',
    '<font b=2>',
    '<a>',
    '<table>',
    '<td>',
    'x',
    '<!---->',
    '<template>',
  ],
  ...['<template shadowrootmode=open>', '<svg>', '<select>', '<style>', '</style>', '<script src=a>', '<title>'],
  ...[
    '<picture>',
    '<source srcset="a 1w">',
    '<img src=a>',
    '<img srcset="',
    '<img sizes="',
    '<p style="',
    '<base href="',
  ],
  ...[
    '<s:image href="a"/>',
    '<script src="a"/>',
    '<a xmlns="',
    '<![CDATA[',
    ']]>',
    '<?xml-stylesheet href="a"?>',
    '&amp;',
  ],
  ...['<link rel=stylesheet media="', '<link rel=preload as=image href=a imagesizes="', 'a 1w,', 'b 2x,', '">', '<'],
);
const cssText = fc.constantFrom(
  ...[
    'a',
    '*',
    '.x',
    '#y',
    '&',
    ' ',
    '>',
    '~',
    '+',
    ',',
    ':is(',
    ':not(',
    ':has(',
    ':nth-child(2n+1 of ',
    ')',
    '[a="',
    ']',
  ],
  ...[
    '{',
    '}',
    '{background:url(x)}',
    'background:',
    'url(x),',
    'image-set(',
    'font-family:',
    'f,',
    ';',
    '@media ',
    'not ',
  ],
  ...['(min-width:1px)', ' and ', '(', 'calc(', '1px', '/', '*', '-', '@import url(y);', '@layer ', '@supports ', '/*'],
  ...['@font-face{font-family:f;src:url(z);unicode-range:', 'U+0-7F,', '"', '\\'],
);
const times = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(1000, 30_000) },
);
const piecesOf = (text: fc.Arbitrary<string>) =>
  fc.array(fc.record({ text: fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: cssText }), times }), {
    maxLength: 14,
  });

/** Pages and style sheets that a program reads in place of a browser. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    contentType: fc.constantFrom('text/html; charset=utf-8', 'application/xhtml+xml'),
    html: piecesOf(htmlText),
    css: piecesOf(cssText),
    scaleRatio: fc.constantFrom(0.1, 1, 3),
  }),
  run({ contentType, html, css, scaleRatio }) {
    const display = { widthPx: 1000, heightPx: 500, scaleRatio };
    const words = new Set<string>();
    const check = (address: string, word: string) => {
      must(/^https?:\/\//.test(address), 'what a page wants is on the network');
      words.add(word);
    };
    const document = new DocumentObjects({
      url: 'http://a.test/',
      contentType,
      display,
      listener: {
        onWish: (wish) => (wish.kind === 'inner-document' ? undefined : check(wish.address, describe(wish))),
        onStyleText: (text) => document.addStyles(readStyleSheet(text, display)),
        onStyleImage: (address) => check(address, 'style image'),
        onFont: (address) => check(address, 'font'),
      },
    });
    document.write(Buffer.from(starts[contentType] + join(html)));
    document.end();
    const { rules, imports, fontFaces } = readStyleSheet(join(css), display);
    document.addStyles({ rules, fontFaces });
    const bits = [rules.length, imports.length, fontFaces.length].map((count) => Math.ceil(Math.log2(count + 1)));
    return [...words, `bits of rules, imports and fonts: ${bits.join(', ')}`];
  },
};

function join(pieces: readonly Piece[]): string {
  return pieces
    .reduce((text, piece) => (text.length > mostCharacters ? text : `${text}${piece.text.repeat(piece.times)}`), '')
    .slice(0, mostCharacters);
}

function describe(wish: Exclude<Wish, { kind: 'inner-document' }>): string {
  return wish.kind === 'object' ? wish.type : wish.kind;
}
