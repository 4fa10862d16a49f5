import { expect, it } from 'vitest';
import {
  hasMoreSettings,
  readBackground,
  writeBackground,
} from '#web-ui/src/pages/evaluation/sections/scenarios/link-fields.tsx';

it('is written and read again, with one user where none is named', () => {
  const loads = [
    { kind: 'bulk-download', users: 2 },
    { kind: 'voice', users: 1 },
  ];
  expect(writeBackground(loads)).toBe('bulk-download=2, voice=1');
  expect(readBackground('bulk-download=2, voice')).toEqual(loads);
  expect(writeBackground([{ kind: 'video' }])).toBe('video=1');
  expect(writeBackground(undefined)).toBe('');
});

it('keeps what validation is to reject', () => {
  for (const text of ['=2', 'voice=1=2']) expect(readBackground(text)).toBe(text);
  expect(readBackground('voice=many')).toEqual([{ kind: 'voice', users: 'many' }]);
});

it('knows settings that it has no words for', () => {
  expect(hasMoreSettings([{ kind: 'video', users: 1, ladderKbps: [100] }])).toBe(true);
  expect(hasMoreSettings([{ kind: 'video', users: 1 }])).toBe(false);
});
