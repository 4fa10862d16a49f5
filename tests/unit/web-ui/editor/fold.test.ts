import { expect, test } from 'vitest';
import { CaptureSettingsSchema } from '#core/evaluation/capture/capture-settings.ts';
import { listChanged } from '#web-ui/src/pages/evaluation/sections/fold.tsx';

test('a fold names what is set in it, and not what is as it would be anyway', () => {
  const capture = { path: ['capture'], defaults: CaptureSettingsSchema.parse({}) };
  expect(listChanged(undefined, capture)).toEqual([]);
  // As a stored Evaluation has it, with all its defaults.
  expect(listChanged({ ...capture.defaults }, capture)).toEqual([]);
  expect(listChanged({ ...capture.defaults, isolate: true, snapBytes: 128 }, capture)).toEqual([
    'isolate',
    'snapBytes',
  ]);
  expect(listChanged({ protocols: ['http/1.1'], flags: [] }, { path: ['browser'] })).toEqual(['protocols']);
  expect(listChanged({ link: 'geo-1m', path: {} }, { path: ['network'] })).toEqual(['link', 'path']);
  expect(listChanged([{ run: 'true' }], { path: ['setUp'] })).toEqual(['1 entry']);
  expect(listChanged({ rateKbps: 256 }, { path: ['variables'], isOne: true })).toEqual(['variables']);
});
