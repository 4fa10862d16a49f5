import { expect, test } from 'vitest';
import { judgeTime } from '../support/judge-time.ts';
import { findWrongParts, measurePlanted } from './support/planted-causes.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** The small form of `bench/causes.ts`: what engines know of a path, over a link of known round trips. */
test.for([
  ['http', ['server on the path', 'server beside the path', 'redirect', 'import', 'longer round trip']],
  ['chrome', ['server on the path', 'import', 'longer round trip']],
] as const)(
  'with the %s engine, planted causes are found where they were planted, and nowhere else',
  { timeout: 600_000 },
  async ([engine, planted], context) => {
    await using overLink = await joinOverLink();
    await judgeTime(context, {
      measure: async (begin) => {
        const measured = await measurePlanted(overLink, {
          engine,
          rounds: 4,
          begin,
          names: ['plain', ...planted],
        });
        expect(measured.sumErrorMs).toBeLessThan(1e-6);
        expect(measured.results).toHaveLength(planted.length);
        return measured;
      },
      holds: ({ results, unexplainedShare }) => {
        expect(unexplainedShare).toBeLessThanOrEqual(0.05);
        for (const result of results) expect(findWrongParts(result), result.name).toEqual([]);
      },
    });
  },
);
