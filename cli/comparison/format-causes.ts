import { causeIds, causes } from '#core/causes/causes.ts';
import { quantity } from '#core/comparison/checks/check.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { percent } from '#core/comparison/findings/finding-words.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { showPlainly } from '../plain-text.ts';
import { absent, formatMean } from './format-figures.ts';
import { formatTable } from './format-table.ts';

/** A wider matrix would not fit in a terminal. */
const mostInMatrix = 8;

/** Why: the sentences, and the parts of each mean. */
export function formatCauses(
  { causes: split }: Comparison,
  { bold, dim }: Record<'bold' | 'dim', (text: string) => string>,
): string[] {
  if (split.kind === 'absent') return [];
  const shown = causeIds.filter((_, place) => split.scenarios.some(({ parts }) => (parts?.[place] ?? 0) >= 0.5));
  const [head, ...rows] = formatTable([
    ['Scenario', ...shown.map((cause) => causes[cause].label)],
    ...split.scenarios.map(({ scenario, parts }) => [
      showPlainly(scenario),
      ...shown.map((cause) => (parts ? formatMean(parts[causeIds.indexOf(cause)]!, null, 0) : absent)),
    ]),
  ]);
  return [
    '',
    bold(`Why: causes of the mean ${nameLatency(split.metric).toLowerCase()}, ms`),
    ...split.sentences.map(showPlainly),
    dim(head!),
    ...rows,
    ...(split.visitsWithout > 0 ? [`${quantity(split.visitsWithout, 'Visit')} could not be split.`] : []),
  ];
}

/** What the users cost each other. */
export function formatHarm({ harm, delays }: Comparison, bold: (text: string) => string): string[] {
  const alone = (harm?.scenarios ?? []).flatMap(({ scenario, users }) =>
    users.map(({ userAgent, aloneMs, togetherMs, slowDown, harm: ratio }) => [
      showPlainly(scenario),
      showPlainly(userAgent),
      aloneMs.toFixed(0),
      togetherMs.toFixed(0),
      formatMean(slowDown.value, slowDown.high === null ? null : slowDown.high - slowDown.value, 0),
      ratio ? `${ratio.ratio < 0 ? '−' : ''}${percent(Math.abs(ratio.ratio))} %` : absent,
    ]),
  );
  const delayed = delays?.kind === 'measured' ? delays.scenarios : [];
  const names = [...new Set(delayed.flatMap(({ users }) => users.map(({ userAgent }) => userAgent)))];
  const waits = (names.length > mostInMatrix ? [] : delayed).flatMap(({ scenario, users }) =>
    users.map(({ userAgent, by }) => [
      showPlainly(scenario),
      showPlainly(userAgent),
      ...names.map((name) => {
        const estimate = by.find((each) => each.userAgent === name)?.estimate;
        return estimate ? formatMean(estimate.mean, estimate.halfWidth, 0) : absent;
      }),
    ]),
  );
  return [
    ...(alone.length === 0
      ? []
      : [
          bold('Alone and together, ms'),
          ...formatTable([['Scenario', 'User Agent', 'alone', 'together', 'slower by', 'harm'], ...alone]),
          '',
        ]),
    ...(waits.length === 0
      ? []
      : [
          bold('Who delays whom: ms per Visit that the link was busy with the bytes of each, while the other waited'),
          ...formatTable([['Scenario', 'waits', ...names.map((name) => `by ${showPlainly(name)}`)], ...waits]),
          '',
        ]),
  ];
}
