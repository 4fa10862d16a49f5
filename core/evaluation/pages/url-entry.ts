import { z } from 'zod';
import { describeIssues, type FieldIssue } from '../../input/describe-issues.ts';
import { JourneySchema, splitJourney, type Journey, type JourneyLeg } from '../journey/journey.ts';
import { expandUrlPattern } from './url-pattern.ts';
import { nameUnknownPage, sitePageFields } from './site-page.ts';
import { UntilSchema } from './page-mark.ts';
import { expandTask, RealTimeTaskSchema } from './real-time-task.ts';
import { wholeNumber } from '../units.ts';
import { fillVariables, mostVariables, VariableNameSchema, type Variables } from './variables.ts';

/**
 * One line of a URL list: a URL, a task that is short for one, a page of a recorded Site, or a journey, whose `url` is that of its first page. `url` may be a pattern (see `expandUrlPattern`). `variables` are the numbers that the report can
 * plot latency against, such as the number of images; a variable given as `"{1}"` takes the value of the pattern's first range.
 */
export const UrlEntrySchema = z.preprocess(
  expandShorthand,
  z.strictObject({
    url: z
      .string({ error: 'must be a URL' })
      .describe(
        'A URL or a pattern: `{a,b}` lists, `{5..30..5}` counts in steps, `{name}` is a variable of the Scenario.',
      ),
    label: z
      .string()
      .max(120, 'must have at most 120 characters')
      .optional()
      .describe('The name of the page in reports. `{1}` is the value of the first range.'),
    variables: z
      .record(VariableNameSchema, z.union([z.number(), z.string().regex(/^\{\d+\}$/, 'must be a number or "{1}"')]))
      .refine(
        (variables) => Object.keys(variables).length <= mostVariables,
        `must have at most ${mostVariables} variables`,
      )
      .optional()
      .describe('Numbers that the report plots latency against. `"{1}"` is the value of the first range.'),
    visits: wholeNumber({ min: 1, max: 100 })
      .optional()
      .describe('How often a Pass visits it in succession, times `visitsPerUrl`. Without it, 1.'),
    until: UntilSchema.optional().describe(
      'When the Visit may end: `performance mark NAME` waits until the page has set that User Timing mark.',
    ),
    journey: JourneySchema.optional().describe(
      'Instead of `url`: steps of a user, as exported by Chrome’s Recorder. Each navigation is a Visit.',
    ),
    ...sitePageFields,
  }),
);

function expandShorthand(entry: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof entry === 'string') return { url: entry };
  if (typeof entry !== 'object' || entry === null) return entry;
  if ('journey' in entry) return nameFirstPage(entry, context);
  if ('site' in entry) {
    const { site, page } = { page: 1, ...entry };
    return { url: nameUnknownPage({ site, page }), ...entry };
  }
  if (!('task' in entry)) return entry;
  const { label, variables, visits, ...task } = entry as Record<string, unknown>;
  const { data, error } = RealTimeTaskSchema.safeParse(task);
  if (error) {
    report(describeIssues(error, { schema: RealTimeTaskSchema, input: task }), context);
    return z.NEVER;
  }
  const written = Object.entries({ label, variables, visits }).filter(([, value]) => value !== undefined);
  return { ...expandTask(data), ...Object.fromEntries(written) };
}

/** `at`: where the value that has these issues is. */
function report(issues: readonly FieldIssue[], context: z.core.$RefinementCtx, at: PropertyKey[] = []): void {
  for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...at, ...path], message });
}

/** A journey has the address of its first page. */
function nameFirstPage(entry: Record<'journey', unknown>, context: z.core.$RefinementCtx): unknown {
  const { data, error } = JourneySchema.safeParse(entry.journey);
  if (error) {
    report(describeIssues(error, { schema: JourneySchema, input: entry.journey }), context, ['journey']);
    return z.NEVER;
  }
  if ('until' in entry && entry.until !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['until'],
      message: 'is for pages: a journey ends what it measures by a step "customStep" with the name "mark"',
    });
    return z.NEVER;
  }
  return { ...entry, url: splitJourney(data)[0]!.address, journey: data };
}

export type UrlEntry = z.infer<typeof UrlEntrySchema>;

/** One URL to visit, its pattern expanded. */
export interface ExpandedUrl {
  /** The page: the same in every Scenario, variables of Scenarios not filled in. */
  url: string;
  label: string;
  variables: Record<string, number>;
  /** How often its entry is visited for each time that the rhythm of a User Agent says; of a journey, all of it. */
  visits: number;
  /** As in the entry. */
  until?: string;
  /** Of a page of a recorded Site. */
  recordedEpochMs?: number;
  /** Of a page of a journey: where it begins, variables of Scenarios not filled in. */
  address?: string;
  /** Likewise: how the user comes there, and what the user does there. */
  leg?: JourneyLeg;
}

/** All the URLs that an entry stands for, in order. Throws when its pattern is malformed, or a variable’s place is no numeric range of it. */
export function expandUrlEntry(entry: UrlEntry): ExpandedUrl[] {
  if (entry.journey) return expandJourney(entry, entry.journey);
  return expandUrlPattern(entry.url).map(({ url, values }) => {
    const variables = Object.entries(entry.variables ?? {}).map(([name, value]) => {
      const number = numberOf(value, values);
      if (!Number.isFinite(number))
        throw new Error(`variable ${name}: ${value} names no numeric range of ${entry.url}`);
      return [name, number] as const;
    });
    return {
      url,
      label: fill(entry.label ?? url, values),
      variables: Object.fromEntries(variables),
      visits: entry.visits ?? 1,
      ...(entry.until !== undefined && { until: entry.until }),
      ...(entry.recording && { recordedEpochMs: entry.recording.recordedEpochMs }),
    };
  });
}

/** A page for each navigation: two of them may have one address, so the page is named by journey and number too. */
function expandJourney({ label, variables = {}, visits = 1 }: UrlEntry, journey: Journey): ExpandedUrl[] {
  const numbers = Object.entries(variables).filter((each): each is [string, number] => typeof each[1] === 'number');
  return splitJourney(journey).map(({ leg, address, title }) => ({
    url: `${address}#${encodeURIComponent(journey.title)}-${leg.number}`,
    label: `${label ?? journey.title} ${leg.number}${title ? `: ${title}` : ''}`,
    variables: Object.fromEntries(numbers),
    visits,
    address,
    leg,
  }));
}

/** The address that a page is loaded from in a Scenario with these variables. */
export function addressOf({ url, address = url }: ExpandedUrl, variables: Variables | undefined): string {
  return fillVariables(address, variables);
}

/** The variables, as `name=value`, that are no number in some URL of the entry: their place is no range of its pattern, or one of words. */
export function findUnnamed(
  { variables = {} }: UrlEntry,
  expanded: readonly { values: readonly string[] }[],
): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    expanded.some(({ values }) => !Number.isFinite(numberOf(value, values))) ? [`${name}=${value}`] : [],
  );
}

/** The most characters that the label of the entry has for any of its URLs, or more. */
export function longestLabel({ label }: UrlEntry, expanded: readonly { values: readonly string[] }[]): number {
  const places = [...(label ?? '').matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place) - 1);
  const longest = new Map(
    [...new Set(places)].map((place) => [
      place,
      expanded.reduce((most, { values }) => Math.max(most, values[place]?.length ?? 0), 0),
    ]),
  );
  return places.reduce((sum, place) => sum + longest.get(place)!, (label ?? '').length);
}

function numberOf(value: number | string, values: readonly string[]): number {
  return typeof value === 'number' ? value : Number(values[Number(value.slice(1, -1)) - 1] ?? NaN);
}

function fill(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d+)\}/g, (whole, index) => values[Number(index) - 1] ?? whole);
}
