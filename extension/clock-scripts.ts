import { writeReplayedPageScript } from '../core/agent/replayed-page.ts';

/**
 * What the extension runs in a replayed page before any script of it. A script that browsers run that early is a file, without arguments. So a script for each bit of the shift
 * adds that bit, and the last one takes the sum. `background/visit/shift-clock.ts` chooses them.
 */

/** Of shifts in ms: 557 years either way. */
export const shiftBits = 45;

export const nameBitScript = (bit: number): string => `clock/bit-${bit}.js`;
export const earlierScript = 'clock/earlier.js';
export const clockScript = 'clock/clock.js';

const place = 'globalThis.httpAeShiftMs';

/** All files with their text. */
export function writeClockScripts(): [file: string, text: string][] {
  return [
    ...Array.from({ length: shiftBits }, (_, bit): [string, string] => [
      nameBitScript(bit),
      `${place} = (${place} ?? 0) + ${2 ** bit};`,
    ]),
    [earlierScript, `${place} = -(${place} ?? 0);`],
    [
      clockScript,
      writeReplayedPageScript(`(() => { const shiftMs = ${place} ?? 0; delete ${place}; return shiftMs; })()`),
    ],
  ];
}
