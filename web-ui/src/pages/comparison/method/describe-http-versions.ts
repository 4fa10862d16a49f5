import type { RunMethod } from '#core/record/run-method.ts';
import { formatPercent } from '../../../format/format-percent.ts';

/** `direct: h2 98 %, http/1.1 2.0 %; proxy: http/1.1`; once where it is the same for all Scenarios. */
export function describeHttpVersions(used: RunMethod['httpVersions'], scenarios: readonly string[]): string {
  const described = scenarios.map((name) => ({
    name,
    words: describe(used.filter(({ scenario }) => scenario === name)),
  }));
  const [first] = described;
  return first && described.every(({ words }) => words === first.words)
    ? first.words
    : described.map(({ name, words }) => `${name}: ${words}`).join('; ');
}

function describe(used: RunMethod['httpVersions']): string {
  const all = used.reduce((sum, { objects }) => sum + objects, 0);
  if (used.length === 0) return 'not known';
  return used
    .map(({ version, objects }) => (objects === all ? version : `${version} ${formatPart(objects / all)}`))
    .join(', ');
}

/** Never rounds to 100 % when an object is missing, or to 0 % when there is one. */
function formatPart(ratio: number): string {
  if (ratio < 0.0005) return `< ${formatPercent(0.001)}`;
  return ratio > 0.995 ? `> ${formatPercent(0.99)}` : formatPercent(ratio);
}
