import { z } from 'zod';
import { describeIssues, type FieldIssue } from '../../input/describe-issues.ts';
import { JourneySchema, splitJourney, type Journey, type JourneyLeg } from '../journey/journey.ts';
import { expandUrlPattern, sizeUpUrlPattern, type PatternSize } from './url-pattern.ts';
import { NameSchema } from '../name.ts';
import { UntilSchema } from './page-mark.ts';
import { expandTask, RealTimeTaskSchema } from './real-time-task.ts';
import { fillVariables, mostVariables, VariableNameSchema, variablesIn, type Variables } from './variables.ts';
import { explainOddText, explainOpenBraces, VisitUrlSchema } from './visit-url.ts';

/** After expansion: as many as can be visited in one Pass. */
const mostUrls = 2000;
const mostLists = 500;
/** Of all lists together: what every reader of an Evaluation expands. */
const mostUrlsInAll = 50_000;
const mostCharactersInAll = 20_000_000;
const mostLabelCharacters = 1000;

/**
 * One line of a URL list: a URL, a task that is short for one, or a journey, whose `url` is that of its first page. `url` may be a pattern (see `expandUrlPattern`). `variables` are the numbers that the report can
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
    until: UntilSchema.optional().describe(
      'When the Visit may end: `performance mark NAME` waits until the page has set that User Timing mark.',
    ),
    journey: JourneySchema.optional().describe(
      'Instead of `url`: steps of a user, as exported by Chrome’s Recorder. Each navigation is a Visit.',
    ),
  }),
);

function expandShorthand(entry: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof entry === 'string') return { url: entry };
  if (typeof entry !== 'object' || entry === null) return entry;
  if ('journey' in entry) return nameFirstPage(entry, context);
  if (!('task' in entry)) return entry;
  const { label, variables, ...task } = entry as Record<string, unknown>;
  const { data, error } = RealTimeTaskSchema.safeParse(task);
  if (error) {
    report(describeIssues(error, { schema: RealTimeTaskSchema, input: task }), context);
    return z.NEVER;
  }
  return { ...expandTask(data), ...(label !== undefined && { label }), ...(variables !== undefined && { variables }) };
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

export const UrlListSchema = z
  .array(UrlEntrySchema, { error: 'must be a list of URLs' })
  .min(1, 'must have at least one URL')
  .superRefine((entries, context) => {
    const seen = new Set<string>();
    let count = 0;
    for (const [index, entry] of entries.entries()) {
      const refuse: RefuseEntry = (message, field = 'url') =>
        context.addIssue({ code: 'custom', path: [index, field], message });
      try {
        count += entry.journey ? splitJourney(entry.journey).length : sizeUpUrlPattern(entry.url).urls;
        if (count > mostUrls) {
          context.addIssue(`has more than ${mostUrls} URLs after expansion, the limit of one Pass`);
          return;
        }
        if (entry.journey) refuseUnclearJourney(entry, entry.journey, { seen, refuse });
        else refuseUnclearPages(entry, { seen, refuse });
      } catch (error) {
        refuse((error as Error).message);
      }
    }
  });

/** A list as people write it now: earlier versions took more of what is no URL as it stands. */
export const TypedUrlListSchema = UrlListSchema.superRefine((entries, context) => {
  // Of what is wrong already, one reason is enough.
  if (context.issues.length > 0) return;
  for (const [index, { url, journey }] of entries.entries()) {
    const problem = journey ? null : explainOddText(url);
    if (problem !== null) context.addIssue({ code: 'custom', path: [index, 'url'], message: problem });
  }
});

type RefuseEntry = (message: string, field?: 'url' | 'label' | 'variables' | 'journey') => void;

/** `seen`: titles and URLs of the entries before this one. */
interface EntryCheck {
  seen: Set<string>;
  refuse: RefuseEntry;
}

function refuseUnclearJourney(entry: UrlEntry, { title }: Journey, { seen, refuse }: EntryCheck): void {
  if (seen.has(title)) refuse(`the title "${title}" is used already: each journey of a list has its own`, 'journey');
  seen.add(title);
  for (const { address = '' } of expandUrlEntry(entry))
    if (variablesIn(address).length === 0) refuseWrongUrl(address, (message) => refuse(message, 'journey'));
}

function refuseUnclearPages(entry: UrlEntry, { seen, refuse }: EntryCheck): void {
  const expanded = expandUrlPattern(entry.url);
  const [unnamed] = findUnnamed(entry, expanded);
  const openBraces = unnamed === undefined ? null : explainOpenBraces(entry.url);
  // The variable is right, and the range that it names is not finished.
  if (openBraces !== null) refuse(openBraces);
  else if (unnamed !== undefined)
    refuse(
      `${unnamed} is not a number: write a number, or the position of a numeric range in the URL, such as "{1}" for {5..25}`,
      'variables',
    );
  if (longestLabel(entry, expanded) > mostLabelCharacters)
    refuse(`must have at most ${mostLabelCharacters} characters after expansion`, 'label');
  // Those with variables of Scenarios are checked with their values (refuse-unclear-urls.ts).
  const hasVariables = variablesIn(entry.url).length > 0;
  for (const { url } of expanded) {
    if (!hasVariables) refuseWrongUrl(url, refuse);
    if (seen.has(url)) refuse(`${url} is already in this list`);
    seen.add(url);
  }
}

function refuseWrongUrl(url: string, refuse: (message: string) => void): void {
  for (const { message } of VisitUrlSchema.safeParse(url).error?.issues ?? []) refuse(message);
}

const UrlListRecordSchema = z
  .record(NameSchema, UrlListSchema)
  .refine((lists) => Object.keys(lists).length > 0, 'must have at least one URL list');

export const UrlListsSchema = z.preprocess((input: z.input<typeof UrlListRecordSchema>, context) => {
  const lists: unknown = input;
  // Their number is looked at before they are, as each may stand for thousands of URLs.
  if (typeof lists !== 'object' || lists === null) return lists;
  if (Object.keys(lists).length > mostLists) {
    context.addIssue(`must have at most ${mostLists} URL lists: User Agents may share one`);
    return z.NEVER;
  }
  const { urls, characters } = sizeUp(lists);
  if (urls > mostUrlsInAll || characters > mostCharactersInAll) {
    context.addIssue(
      `have more than ${mostUrlsInAll} URLs or ${mostCharactersInAll} characters together after expansion: use fewer, or shorter ones`,
    );
    return z.NEVER;
  }
  return lists;
}, UrlListRecordSchema);

/**
 * What lists of unknown contents stand for, without making it. What is malformed counts as one URL, and a list that is too long no more than that: both are
 * reported where they are.
 */
function sizeUp(lists: object): { urls: number; characters: number } {
  let urls = 0;
  let characters = 0;
  for (const list of Object.values(lists) as unknown[]) {
    let urlsOfList = 0;
    for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
      const size = sizeUpEntry(entry);
      urlsOfList += size.urls;
      if (urlsOfList > mostUrls) break;
      characters += size.urls * size.characters;
    }
    urls += urlsOfList;
  }
  return { urls, characters };
}

const one: PatternSize = { urls: 1, characters: 0 };

function sizeUpEntry(entry: unknown): PatternSize {
  if (typeof entry === 'string') return sizeUpOrOne(entry);
  if (typeof entry !== 'object' || entry === null) return one;
  if ('journey' in entry) return sizeUpJourney(entry.journey);
  return 'url' in entry && typeof entry.url === 'string' ? sizeUpOrOne(entry.url) : one;
}

/** At most as many Visits as it has steps. */
function sizeUpJourney(journey: unknown): PatternSize {
  const hasSteps =
    typeof journey === 'object' && journey !== null && 'steps' in journey && Array.isArray(journey.steps);
  return hasSteps ? { urls: (journey.steps as unknown[]).length, characters: 0 } : one;
}

function sizeUpOrOne(pattern: string): PatternSize {
  try {
    return sizeUpUrlPattern(pattern);
  } catch {
    return one;
  }
}

export type UrlEntry = z.infer<typeof UrlEntrySchema>;

/** One URL to visit, its pattern expanded. */
export interface ExpandedUrl {
  /** The page: the same in every Scenario, variables of Scenarios not filled in. */
  url: string;
  label: string;
  variables: Record<string, number>;
  /** As in the entry. */
  until?: string;
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
      ...(entry.until !== undefined && { until: entry.until }),
    };
  });
}

/** A page for each navigation: two of them may have one address, so the page is named by journey and number too. */
function expandJourney({ label, variables = {} }: UrlEntry, journey: Journey): ExpandedUrl[] {
  const numbers = Object.entries(variables).filter((each): each is [string, number] => typeof each[1] === 'number');
  return splitJourney(journey).map(({ leg, address, title }) => ({
    url: `${address}#${encodeURIComponent(journey.title)}-${leg.number}`,
    label: `${label ?? journey.title} ${leg.number}${title ? `: ${title}` : ''}`,
    variables: Object.fromEntries(numbers),
    address,
    leg,
  }));
}

/** The address that a page is loaded from in a Scenario with these variables. */
export function addressOf({ url, address = url }: ExpandedUrl, variables: Variables | undefined): string {
  return fillVariables(address, variables);
}

/** The variables, as `name=value`, that are no number in some URL of the entry: their place is no range of its pattern, or one of words. */
function findUnnamed({ variables = {} }: UrlEntry, expanded: readonly { values: readonly string[] }[]): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    expanded.some(({ values }) => !Number.isFinite(numberOf(value, values))) ? [`${name}=${value}`] : [],
  );
}

/** The most characters that the label of the entry has for any of its URLs, or more. */
function longestLabel({ label }: UrlEntry, expanded: readonly { values: readonly string[] }[]): number {
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
