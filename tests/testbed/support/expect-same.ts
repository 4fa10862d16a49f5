import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { TsharkTcp } from './tshark.ts';
import { isVerified } from './wireshark-series.ts';

/** What the headers say, and no version may see otherwise. */
const headerFigures = ['connections', 'packets', 'syn', 'synAck', 'fin', 'rst'] as const;
/** How many conversations at least a version agrees on in all that it judges. */
const leastAgreement = 0.9;

/** That TCP is counted alike, conversation by conversation: in all figures by a verified series of Wireshark, else in those of headers, and in most of the rest. */
export function expectSameTcp(
  pairs: readonly { name: string; ours: TsharkTcp; theirs: TsharkTcp | undefined }[],
  series: string,
): void {
  const differing = pairs.filter(({ ours, theirs }) => !isDeepStrictEqual(ours, theirs));
  if (isVerified(series)) {
    expect(differing).toEqual([]);
    return;
  }
  const pick = (tcp: TsharkTcp | undefined) => headerFigures.map((name) => tcp?.[name]);
  expect(pairs.map(({ name, ours }) => [name, ...pick(ours)])).toEqual(
    pairs.map(({ name, theirs }) => [name, ...pick(theirs)]),
  );
  if (pairs.length > 1)
    expect(
      1 - differing.length / pairs.length,
      `agreement with Wireshark ${series}: ${JSON.stringify(differing.slice(0, 3))}`,
    ).toBeGreaterThan(leastAgreement);
}

/** That figures are those of capinfos: to the last digit that a verified series prints, else as numbers, to half of the last digit that either prints. */
export function expectSameFigures(
  ours: ReadonlyMap<string, string[]>,
  theirs: ReadonlyMap<string, string[]>,
  series: string,
): void {
  if (isVerified(series)) {
    expect(ours).toEqual(theirs);
    return;
  }
  const differing = [...ours].filter(([name, figures]) => {
    const others = theirs.get(name);
    return others?.length !== figures.length || !figures.every((figure, index) => isSameNumber(figure, others[index]!));
  });
  expect(differing.map(([name, figures]) => ({ name, ours: figures, theirs: theirs.get(name) }))).toEqual([]);
}

function isSameNumber(one: string, other: string): boolean {
  if (one === other) return true;
  const digits = Math.min(...[one, other].map((text) => (text.split('.')[1] ?? '').length));
  return Math.abs(Number(one) - Number(other)) <= 10 ** -digits;
}
