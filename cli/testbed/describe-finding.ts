import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';

/** What a check found of one figure of the link, in a line. */
export function describeFinding({ figure, unit, measured, expected, low, high, isWithin }: LinkFinding): string {
  const digits = unit === 'packets lost' ? 0 : 2;
  const measuredText = measured === null ? 'no packets arrived' : measured.toFixed(digits);
  return `${isWithin ? 'ok' : 'WRONG'}: ${figure} ${measuredText} ${unit}, ${expected.toFixed(digits)} expected (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Why a link is not what its profile says: the figures that are wrong. */
export function explainMismatch({ name }: Pick<LinkProfile, 'name'>, findings: readonly LinkFinding[]): string {
  const wrong = findings.filter(({ isWithin }) => !isWithin);
  return `The link does not match ${name}: ${wrong.map(describeFinding).join('; ')}`;
}
