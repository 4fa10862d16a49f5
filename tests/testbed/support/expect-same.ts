import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { TsharkTcp } from '#cli/capinfo/against/read-tshark.ts';
import { isSameFigure, isVerified } from '#cli/capinfo/against/compare-captures.ts';

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

/** That figures are those of capinfos: to the last digit that a verified series prints, else as numbers. */
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
    return (
      others?.length !== figures.length ||
      !figures.every((figure, index) => isSameFigure(figure, others[index]!, series))
    );
  });
  expect(differing.map(([name, figures]) => ({ name, ours: figures, theirs: theirs.get(name) }))).toEqual([]);
}
