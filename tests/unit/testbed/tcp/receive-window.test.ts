import { expect, it } from 'vitest';
import { windowField, windowScale } from '#testbed/tcp/limit-window.ts';

it.each([
  // bytes, scale, field: RFC 7323, 2.3. The kernel takes the least scale that holds the window.
  [4096, 0, 4096],
  [65_535, 0, 65_535],
  [65_536, 1, 32_768],
  [131_072, 2, 32_768],
  [131_071, 1, 65_535],
  [16_777_216, 9, 32_768],
])('a window of %d bytes has the scale %d and is written as %d', (bytes, scale, field) => {
  expect(windowScale(bytes)).toBe(scale);
  expect(windowField(bytes, scale)).toBe(field);
});

it('is at most 16 bits in a packet that is not scaled', () => {
  expect(windowField(131_072, 0)).toBe(65_535);
});
