import { z } from 'zod';
import type { WordsOf } from '../setting-words.ts';
import { durationMs, wholeNumber } from '../units.ts';
import { RestSchema } from '../users/rest.ts';

/** Whether a Visit starts with an empty cache and new connections. */
export const CacheModeSchema = z.enum(['cold', 'warm', 'per-pass'], {
  error: 'must be "cold", "warm" or "per-pass"',
});

export const cacheWords = {
  label: 'Cache',
  choices: {
    cold: 'cold: new for every Visit',
    warm: 'warm: kept, each URL loaded once before',
    'per-pass': 'per Pass: empty at its start, then kept',
  },
};

/** Whether cache and connections last from one Visit of a Pass to the next. */
export function lastsForPass({ cache }: Pick<PageLoad, 'cache'>): boolean {
  return cache !== 'cold';
}

/** How every page is loaded, and when it counts as settled. */
export const PageLoadSchema = z.strictObject({
  cache: CacheModeSchema.default('cold').describe(
    '`cold`: each Visit starts with an empty cache and new connections. `warm`: cache and connections last for the Pass, and each URL is first loaded once unmeasured. `per-pass`: both are empty at the start of a Pass and last for it, and every load is measured.',
  ),
  visitsPerUrl: wholeNumber({ min: 1, max: 100 })
    .default(1)
    .describe('How often a Pass visits each URL in succession.'),
  timeoutMs: durationMs({ min: 500, max: 600_000 })
    .default(30_000)
    .describe('The longest a Visit may take, from navigation start.'),
  quietMs: durationMs({ min: 50, max: 60_000 })
    .default(500)
    .describe('A page has settled when no request was in flight for this long.'),
  restMs: durationMs({ min: 0, max: 600_000 })
    .default(400)
    .describe(
      'The least rest before each Visit. A cold Pass rests longer, up to 3 s, where connections take longer to close (1.25 round trips).',
    ),
  viewport: z
    .strictObject({
      widthPx: wholeNumber({ min: 200, max: 7680 }).default(1366).describe('Its width.'),
      heightPx: wholeNumber({ min: 200, max: 4320 }).default(768).describe('Its height.'),
    })
    .prefault({})
    .describe('The size of the viewport, in CSS pixels.'),
});

export type PageLoad = z.infer<typeof PageLoadSchema>;

export const pageLoadWords: WordsOf<Omit<PageLoad, 'viewport' | 'restMs'>> = {
  cache: cacheWords,
  visitsPerUrl: { label: 'Visits of each URL per Pass' },
  timeoutMs: { label: 'Hard cap', unit: 'ms' },
  quietMs: { label: 'Quiet time', unit: 'ms' },
};

export const viewportWords: WordsOf<PageLoad['viewport']> = {
  widthPx: { label: 'Viewport width', unit: 'px' },
  heightPx: { label: 'Viewport height', unit: 'px' },
};

/** What the comparison makes of a Visit that lost objects which its page does not always lose. */
export const failedObjectsRules = {
  count: 'its latency counts as it is',
  exclude: 'its latency is left out',
  fail: 'it counts as a failed Visit',
} as const;
export type FailedObjectsRule = keyof typeof failedObjectsRules;

export const FailedObjectsRuleSchema = z.enum(
  Object.keys(failedObjectsRules) as [FailedObjectsRule, ...FailedObjectsRule[]],
  { error: 'must be "count", "exclude" or "fail"' },
);

/** How every page is loaded, and what its Visits then count for. The latter is the report's affair: no Agent gets it. */
export const PageLoadRulesSchema = PageLoadSchema.extend({
  restMs: RestSchema.default(400).describe(
    'The least rest before each Visit: a number, or `exponential: MEAN` for think times. A cold Pass rests longer, up to 3 s, where connections take longer to close (1.25 round trips).',
  ),
  failedObjects: FailedObjectsRuleSchema.default('count').describe(
    'How a Visit counts that lost objects which its page does not always lose. `count`: as it is. `exclude`: its latencies are left out. `fail`: as a failed Visit.',
  ),
});
export type PageLoadRules = z.infer<typeof PageLoadRulesSchema>;

export const pageLoadRulesWords = {
  ...pageLoadWords,
  failedObjects: { label: 'Visits that lost objects', choices: failedObjectsRules },
};
