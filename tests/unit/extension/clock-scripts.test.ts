import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { listClockScripts, writeClockScripts } from '../../../extension/clock-scripts.ts';

const texts = new Map(writeClockScripts());

test.each([0, 1, 86_400_000, 2 ** 45 - 1, -1, -1_234_567_890_123, -(2 ** 44)])(
  'the scripts that shift the clock of a replayed page by %i ms add up to that, and the last one takes it',
  (shiftMs) => {
    const context = createContext();
    const files = listClockScripts(shiftMs);
    for (const file of files.slice(0, -1)) runInContext(texts.get(file)!, context);
    expect(runInContext('globalThis.httpAeShiftMs ?? 0', context)).toBe(shiftMs);
    expect(texts.get(files.at(-1)!)).toContain('delete globalThis.httpAeShiftMs');
  },
);
