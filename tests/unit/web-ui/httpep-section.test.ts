import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { compareHttpep } from '#core/comparison/network/compare-httpep.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { describeHttpepTraffic } from '#core/record/httpep-traffic.ts';
import { CountedCell } from '#web-ui/src/pages/comparison/network/counted-cell.tsx';
import { HttpepSection } from '#web-ui/src/pages/comparison/network/network-section.tsx';
import { printCounters } from '../../support/print-counters.ts';

function render(comparison: Partial<Comparison>): string {
  const section = createElement(HttpepSection, { comparison: comparison as Comparison, styles: new Map() });
  return renderToStaticMarkup(createElement(MantineProvider, null, section));
}

test('the report has a row for each Scenario that used HTTPEP, with its figures in their units', () => {
  const design = { scenarios: ['split'], baseline: 'direct', confidence: 0.95 };
  const counted = describeHttpepTraffic(printCounters());
  const rounds = [1, 2].map((block) => ({ block, scenario: 'split', counted }));
  const html = render({ baseline: 'direct', scenarios: ['direct', 'split'], httpep: compareHttpep(rounds, design) });
  const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
    cell!.replaceAll(/<[^>]*>|\s/g, ' ').trim(),
  );
  expect(cells).toEqual([
    '33.0 ± 0.0',
    ...['500 ± 0 kB', '300 ± 0 kB', '320 ± 0 kB'],
    ...['30.0 ± 0.0', '24.0 ± 0.0', '6.0 ± 0.0', '80.0 ± 0.0 %', '200 ± 0 ms', '3.0 ± 0.0', '2'],
  ]);
  expect(html).toContain('aria-label="HTTPEP by Scenario"');
});

test('the interval of a figure that differs little between Rounds is no zero', () => {
  const estimate = { rounds: 2, mean: 0.8, standardDeviation: 0.0001, halfWidth: 0.0004 };
  const cell = createElement(CountedCell, { unit: 'share', value: { kind: 'measured', estimate, contrast: null } });
  const text = renderToStaticMarkup(createElement(MantineProvider, null, cell)).replaceAll(
    /<style.*?<\/style>|<[^>]*>/gs,
    '',
  );
  expect(text.replaceAll('\u00A0', ' ')).toBe('80.0 ± &lt; 0.1 %');
});

test('without HTTPEP there is no section', () => {
  expect(render({ baseline: 'direct' })).not.toContain('HTTPEP');
});
