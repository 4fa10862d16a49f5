import { z } from 'zod';

const longestSelector = 1000;
const deepestPath = 10;
const mostSelectors = 20;

const Selector = z
  .string({ error: 'must be a selector' })
  .min(1, 'must not be empty')
  .max(longestSelector, `must have at most ${longestSelector} characters`);

/** One way to find an element: a selector, or a path of them, each within the shadow root of the one before. */
const SelectorPathSchema = z.union(
  [Selector, z.array(Selector).min(1).max(deepestPath, `must have at most ${deepestPath} selectors`)],
  {
    error: `must be a selector of at most ${longestSelector} characters, or a list of at most ${deepestPath}`,
  },
);

/** The ways of a recording to find one element. The first that finds one counts. https://pptr.dev/guides/page-interactions#selectors */
export const JourneySelectorsSchema = z
  .array(SelectorPathSchema, { error: 'must be a list of selectors' })
  .min(1, 'must have at least one selector')
  .max(mostSelectors, `must have at most ${mostSelectors} selectors`)
  .refine(
    (selectors) => readSelectorPaths(selectors).length > 0,
    'finds its element by "aria/" alone: add a selector of CSS, "xpath/", "pierce/" or "text/"',
  );

/** Those that are looked for: only a browser’s accessibility tree knows what `aria/` means, and recordings have other selectors beside it. */
export function readSelectorPaths(selectors: readonly z.infer<typeof SelectorPathSchema>[]): string[][] {
  return selectors
    .map((selector) => (typeof selector === 'string' ? [selector] : selector))
    .filter((path) => !path.some((part) => part.startsWith('aria/')));
}
