import { expect, test } from 'vitest';
import { judgeTime } from '../support/judge-time.ts';
import { findWrongParts, measurePlanted } from './support/planted-causes.ts';
import { joinOverLink } from './support/join-over-link.ts';

/** The small form of `bench/causes.ts`: what engines know of a path, over a link of known round trips. */
/** How causes are found is of no engine; what each knows of a path is its own. */
const planted = {
  http: ['plain', 'server on the path', 'import'],
  chrome: ['plain', 'server on the path', 'server beside the path', 'redirect', 'import', 'longer round trip'],
};

test.for(['http', 'chrome'] as const)(
  'with the %s engine, planted causes are found where they were planted, and nowhere else',
  { timeout: 600_000 },
  async ([engine, planted], context) => {
    await using overLink = await joinOverLink();
    await judgeTime(context, {
      measure: async (begin) => {
        const measured = await measurePlanted(overLink, {
          engine,
          // Four Visits in half as many Rounds: the check and the start of a browser are what takes time.
          rounds: 2,
          visitsPerUrl: 2,
          begin,
          names: planted[engine],
        });
        expect(measured.sumErrorMs).toBeLessThan(1e-6);
        expect(measured.results).toHaveLength(planted[engine].length - 1);
        return measured;
      },
      holds: ({ results, unexplainedShare }) => {
        expect(unexplainedShare).toBeLessThanOrEqual(0.05);
        for (const result of results) expect(findWrongParts(result), result.name).toEqual([]);
      },
    });
  },
);
