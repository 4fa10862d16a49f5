import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue, metricIds, metricsVersion } from '#core/metrics/catalogue.ts';
import { AbsenceReasonSchema } from '#core/metrics/reading.ts';

const document = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');

test('docs/metrics.md describes each metric of the catalogue, no other, and its unit', () => {
  const rows = Array.from(document.matchAll(/^\| `(\w+)` \| (ms|bytes|count|score) \|/gm), ([, id, unit]) => [
    id,
    unit,
  ]);
  expect(rows).toEqual(metricIds.map((id) => [id, catalogue[id].unit]));
});

test('docs/metrics.md explains each reason for absence and has the version of the definitions', () => {
  for (const reason of AbsenceReasonSchema.options) expect(document).toContain(`- \`${reason}\``);
  expect(document).toContain(`Version ${metricsVersion} `);
});
