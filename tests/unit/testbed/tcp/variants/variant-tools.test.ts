import { expect, test } from 'vitest';
import { hasLinks } from '#testbed/tcp/variants/provided-variants.ts';

test.each([
  ['6.1.0-38-amd64', false],
  ['5.15.0', false],
  ['6.3.9', false],
  ['6.4.0-rc1', true],
  ['6.18.44-fc', true],
  ['6.4-custom', true],
  ['7.0.0', true],
])('registrations of TCP variants can end with their owner in Linux %s: %s', (version, expected) => {
  expect(hasLinks(version)).toBe(expected);
});
