import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue, metricIds, metricsVersion } from '#core/metrics/index.ts';
import { AbsenceReasonSchema } from '#core/metrics/metric-definition.ts';

const document = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');

test('docs/metrics.md has each metric of the catalogue, no other, with its unit and definition', () => {
  const rows = Array.from(
    document.matchAll(/^\| `(\w+)` \| (ms|bytes|count|score) \| (.*?) \|/gm),
    ([, id, unit, definition]) => [id, unit, definition!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')],
  );
  expect(rows).toEqual(metricIds.map((id) => [id, catalogue[id].unit, catalogue[id].definition]));
});

test('docs/metrics.md explains each reason for absence and has the version of the definitions', () => {
  for (const reason of AbsenceReasonSchema.options) expect(document).toContain(`- \`${reason}\``);
  expect(document).toContain(`Version ${metricsVersion} `);
});
