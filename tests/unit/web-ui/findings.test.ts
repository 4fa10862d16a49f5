import { expect, test } from 'vitest';
import type { ComponentProps } from 'react';
import { Findings } from '#web-ui/src/components/reduction/findings.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

type Compared = ComponentProps<typeof Findings>['comparison'];

const render = (comparison: Partial<Compared>) =>
  renderInPage(Findings, {
    comparison: {
      ...{ findings: [], remarks: [], scenarios: ['direct'], baseline: 'direct', metrics: [] },
      ...{ primaryMetric: 'viewportMs', countedFrom: 'navigation-start', confidence: 0.95 },
      ...comparison,
    },
    styles: new Map(),
  });

/** The names of Scenarios are stressed. */
const stressed = (html: string) => [...html.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, name]) => name);

test('each finding stresses its own Scenario, and the baseline has none', () => {
  const html = render({
    scenarios: ['slow', 'direct', 'fast'],
    findings: ['direct is beaten by slow', 'direct is beaten by fast'],
  });
  expect(stressed(html)).toEqual(['slow', 'fast']);
});

test('findings stand in the order of groups, each of which has a baseline of its own', () => {
  const html = render({
    scenarios: ['a1', 'b1', 'a2', 'b2'],
    groups: [
      { name: 'B', baseline: 'b1', scenarios: ['b1', 'b2'] },
      { name: 'A', baseline: 'a1', scenarios: ['a1', 'a2'] },
    ],
    findings: ['A: a2 is faster', 'B: b2 is slower'],
  });
  expect(stressed(html)).toEqual(['b2', 'a2']);
});

test('a single Scenario is compared with nothing, which is said', () => {
  expect(textsOf(render({}))).toEqual(['There is only one Scenario, so nothing is compared.']);
});
