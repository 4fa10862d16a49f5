import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { mostHosts } from '#core/site/site.ts';
import { wholeNumber } from '#core/evaluation/units.ts';
import { minimumImageBytes } from './objects/object-numbers.ts';

/**
 * Which latencies an object counts for: `viewport` (and so the total too), `total` alone, or `none`. The words are part of
 * every object's URL, so that the log knows the truth of a page without knowing the page.
 */
export const countsValues = ['viewport', 'total', 'none'] as const;
export type Counts = (typeof countsValues)[number];

const numberIn = (range: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `must be a whole number from ${range.min} to ${range.max}`)
    .transform(Number)
    .pipe(wholeNumber(range));

/** The query that every request may carry. Unknown parameters are left alone: they make URLs distinct, for instance. */
export const ObjectQuerySchema = z.object({
  /** Which Visit the request belongs to. */
  visit: z
    .string()
    .regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 letters, digits or any of . _ : -')
    .optional(),
  /** The object's name within its page. */
  object: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, - or _')
    .optional(),
  counts: z.enum(countsValues, { error: `must be one of ${countsValues.join(', ')}` }).optional(),
  /** How long the response is held back. On a page that has images it holds back each of them instead. */
  delayMs: numberIn({ min: 0, max: 600_000 }).default(0),
  /** How long a page of images itself is held back. */
  pageDelayMs: numberIn({ min: 0, max: 600_000 }).default(0),
  /** Per cent of the images of a page, the first ones, that it names in advance: in a 103 before it, in its headers, in its head. */
  earlyHints: numberIn({ min: 0, max: 100 }).optional(),
  preloadHeaders: numberIn({ min: 0, max: 100 }).optional(),
  preloadHtml: numberIn({ min: 0, max: 100 }).optional(),
  /** Per cent of the images of a page, the first ones, that are pushed before it: over HTTP/2, to clients that take pushes. */
  push: numberIn({ min: 0, max: 100 }).optional(),
  /** Over how many of the hosts with names a page of images spreads them, from the first on. */
  hosts: numberIn({ min: 1, max: mostHosts }).optional(),
  /** The exact length of an image; on a page of images, of each of them. */
  sizeBytes: numberIn({ min: minimumImageBytes, max: 100_000_000 }).optional(),
  /** In how many parts the body is sent, and the pause between them. */
  chunks: numberIn({ min: 1, max: 1000 }).optional(),
  chunkGapMs: numberIn({ min: 0, max: 60_000 }).optional(),
  /** Of a page that finds one object by another (`/chain`). */
  imports: numberIn({ min: 0, max: 10 }).optional(),
  scriptMs: numberIn({ min: 0, max: 60_000 }).optional(),
  besideMs: numberIn({ min: 0, max: 600_000 }).default(0),
  /** Whether other origins may see the object's timing (Timing-Allow-Origin). */
  tao: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('0'),
  /** On the page of hard cases: the object that alone decides. */
  last: z.string().max(64).optional(),
});

export type ObjectQuery = z.infer<typeof ObjectQuerySchema>;

/** Throws `invalid-input` that names each parameter and what is wrong with it. */
export function readObjectQuery(search: URLSearchParams): ObjectQuery {
  const result = ObjectQuerySchema.safeParse(Object.fromEntries(search));
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new AppError('invalid-input', `The query is invalid: ${faults.join('; ')}`);
}

/** What a page hands on to its objects, theirs to theirs, and so on. */
export type PageQuery = Pick<ObjectQuery, 'visit' | 'tao' | 'last'>;

interface ObjectLink {
  path: string;
  name: string;
  counts: Counts;
  delayMs: number;
  /** Of an image; its own where it is left out. */
  sizeBytes?: number | undefined;
  /** Base URL of another origin; null for the page's own. */
  foreignUrl: string | null;
}

/** The URL of an object of a page: it carries its own truth, and the Visit that it belongs to. */
export function linkObject(
  page: PageQuery,
  { path, name, counts, delayMs, sizeBytes, foreignUrl }: ObjectLink,
): string {
  const query = new URLSearchParams({ object: name, counts });
  if (sizeBytes !== undefined) query.set('sizeBytes', String(sizeBytes));
  if (delayMs > 0) query.set('delayMs', String(delayMs));
  if (page.visit !== undefined) query.set('visit', page.visit);
  if (page.last !== undefined) query.set('last', page.last);
  if (page.tao === '1') query.set('tao', '1');
  return `${foreignUrl ?? ''}${path}?${query.toString()}`;
}
