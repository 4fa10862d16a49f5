import { writeReplayedPageScript } from '../core/agent/replayed-page.ts';

/**
 * What the extension runs in a replayed page before any script of it. A script that browsers run that early is a file, without arguments. So a script for each bit of the shift
 * adds that bit, and the last one takes the sum.
 */

/** Of shifts in ms: 1,114 years either way. */
const shiftBits = 45;

const nameBitScript = (bit: number): string => `clock/bit-${bit}.js`;
const earlierScript = 'clock/earlier.js';
const clockScript = 'clock/clock.js';

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

/** The files that shift the clock of a document, in the order in which they are to run. */
export function listClockScripts(shiftMs: number): string[] {
  const bits = Array.from({ length: shiftBits }, (_, bit) => bit);
  const isSet = (bit: number) => Math.floor(Math.abs(shiftMs) / 2 ** bit) % 2 === 1;
  return [...bits.filter(isSet).map(nameBitScript), ...(shiftMs < 0 ? [earlierScript] : []), clockScript];
}
