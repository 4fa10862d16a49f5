import { expect, test } from 'vitest';
import { formatInstant, harTypes, readHarMoments, readHarType } from '#core/har/har-words.ts';

test('a kind of request that a HAR names is read again, but for an icon, which is called "other"', () => {
  const { icon, ...others } = harTypes;
  for (const [type, name] of Object.entries(others)) {
    expect(readHarType(name, 'image/png')).toBe(type);
    expect(readHarType(name.toUpperCase(), '')).toBe(type);
  }
  expect([icon, readHarType(icon, 'image/png')]).toEqual(['other', 'other']);
  expect(readHarType('xhr', '')).toBe('fetch');
});

test.for([
  ['text/html; charset=utf-8', 'document'],
  ['application/xhtml+xml', 'document'],
  ['text/css', 'style-sheet'],
  ['text/javascript', 'script'],
  ['application/x-ecmascript', 'script'],
  ['IMAGE/svg+xml', 'image'],
  ['font/woff2', 'font'],
  ['application/font-woff', 'font'],
  ['application/x-font-ttf', 'font'],
  ['audio/ogg', 'media'],
  ['video/mp4', 'media'],
  ['application/manifest+json', 'manifest'],
  ['application/json', 'fetch'],
  ['application/ld+json', 'fetch'],
  ['text/plain', 'fetch'],
  ['application/octet-stream', 'other'],
  ['', 'other'],
] as const)('where a HAR names no kind, %s is %s', ([mimeType, type]) => {
  expect(readHarType(undefined, mimeType)).toBe(type);
  expect(readHarType('unheard-of', mimeType)).toBe(type);
  expect(readHarType(7, mimeType)).toBe(type);
});

test('moments of a HAR are counted from its first request; what is none is left out', () => {
  expect(
    readHarMoments(
      {
        onContentLoad: 5,
        onLoad: 0,
        _firstContentfulPaint: 120.5,
        _largestContentfulPaintMs: 300,
        _baseMs: -1,
        _viewportMs: 1e9,
        _totalMs: '900',
        _other: 3,
      },
      10,
    ),
  ).toEqual({ loadEventMs: 10, firstContentfulPaintMs: 130.5, largestContentfulPaintMs: 310 });
  expect(readHarMoments({ _baseMs: 1, _viewportMs: 2, _totalMs: 3 }, 0)).toEqual({
    baseMs: 1,
    viewportMs: 2,
    totalMs: 3,
  });
});

test.for([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1_800_000_000_000, '2027-01-15T08:00:00.000000Z'],
  [1_800_000_000_000.75, '2027-01-15T08:00:00.000750Z'],
  [1_800_000_000_999.5, '2027-01-15T08:00:00.999500Z'],
  [-0.25, '1969-12-31T23:59:59.999750Z'],
] as const)('the instant %d is written to the microsecond', ([epochMs, text]) => {
  expect(formatInstant(epochMs)).toBe(text);
});
