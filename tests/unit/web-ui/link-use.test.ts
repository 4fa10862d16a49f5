import { expect, test } from 'vitest';
import type { DelaysComparison } from '#core/comparison/users/compare-delays.ts';
import { LinkUse } from '#web-ui/src/pages/comparison/link-use.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

type Measured = Extract<DelaysComparison, { kind: 'measured' }>;
type Link = Measured['scenarios'][number]['link'];

const estimate = (mean: number) => ({ rounds: 2, mean, standardDeviation: 0, halfWidth: 1 });
const known: Link = {
  ...{ own: estimate(50), others: estimate(20), repairs: estimate(30) },
  idle: [{ cause: 'receive', estimate: estimate(100) }],
};
const unknown: Link = { ...known, repairs: null, idle: null };

function rowsOf(links: Record<string, Link>): string[] {
  const scenarios = Object.entries(links).map(([scenario, link]) => ({
    ...{ scenario, rateKbps: 1000, roundsCounted: 2, users: [] },
    link,
  }));
  const html = renderInPage(LinkUse, { delays: { kind: 'measured', scenarios }, styles: new Map() });
  expect(html).toContain('ms of the total page load latency');
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].slice(1).map(([, row]) => textsOf(row!).join(' '));
}

test('what the link did is in rows, and idle times that background load hides are absent', () => {
  expect(rowsOf({ alone: known, busy: unknown })).toEqual([
    'busy with own bytes 50 ± 1 50 ± 1',
    'busy with others’ bytes 20 ± 1 20 ± 1',
    'idle: repairing losses 30 ± 1 —',
    'idle: Receiving 100 ± 1 —',
  ]);
  expect(rowsOf({ busy: unknown }).at(-1)).toBe('idle —');
});
