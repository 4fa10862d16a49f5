import { expect, test } from 'vitest';
import { causeIds } from '#core/causes/causes.ts';
import { compareCauses } from '#core/comparison/causes/compare-causes.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { WhySection } from '#web-ui/src/pages/comparison/why-section.tsx';
import { makeRecordedVisit } from '../core/comparison/support/visits.ts';
import { renderInPage, textsOf } from './support/render-in-page.ts';

const urls = ['http://origin.test/a', 'http://origin.test/b'].map((url) => ({ url, label: url }));
const shared = { scenarios: ['slow', 'fast', 'other'], baseline: 'slow', userAgents: ['alice'] };
const meansOf: Record<string, number[]> = { slow: [1000, 5000], fast: [900, 4000], other: [900, 4000] };

/** What is said of Scenarios that have these pages each, of the two. */
function wordsOf(pages: Record<string, number[]>): string {
  const visits = [1, 2].flatMap((block) =>
    shared.scenarios.flatMap((scenario) =>
      pages[scenario]!.map((page) => {
        const totalMs = meansOf[scenario]![page]! + block;
        const causes = causeIds.map((cause) => (cause === 'receive' ? totalMs : 0));
        const latencies = { baseMs: null, viewportMs: null, totalMs };
        return makeRecordedVisit({ block, scenario, userAgent: 'alice', url: urls[page]!.url, latencies, causes });
      }),
    ),
  );
  const causes = compareCauses(visits, {
    ...{ ...shared, urls, metric: 'totalMs', confidence: 0.95, notComparable: new Set(), compared: [] },
  });
  const comparison = { ...shared, causes, runId: '7', primaryMetric: 'totalMs' } as unknown as Comparison;
  return textsOf(renderInPage(WhySection, { comparison, styles: new Map() })).join(' ');
}

test('a difference that is of other pages than the means beside it says so', () => {
  const words = 'The differences are of the pages and Blocks that both of these have.';
  expect(wordsOf({ slow: [0, 1], fast: [0, 1], other: [0, 1] })).not.toContain(words);
  expect(wordsOf({ slow: [0, 1], fast: [0, 1], other: [0] })).toContain(words);
});
