import { z } from 'zod';
import { splitJourney, type Journey } from '../journey/journey.ts';
import { expandUrlPattern, sizeUpUrlPattern, type PatternSize } from './url-pattern.ts';
import { NameSchema } from '../name.ts';
import { expandUrlEntry, findUnnamed, longestLabel, UrlEntrySchema, type UrlEntry } from './url-entry.ts';
import { variablesIn } from './variables.ts';
import { explainOddText, explainOpenBraces, VisitUrlSchema } from './visit-url.ts';

/** After expansion: as many as can be visited in one Pass. */
const mostUrls = 2000;
const mostLists = 500;
/** Of all lists together: what every reader of an Evaluation expands. */
const mostUrlsInAll = 50_000;
const mostCharactersInAll = 20_000_000;
const mostLabelCharacters = 1000;

/** A page of a Site may be a list of its own. */
const listEntries = (input: unknown) =>
  typeof input === 'object' && input !== null && 'site' in input ? [input] : input;

const EntriesSchema = z.array(UrlEntrySchema, { error: 'must be a list of URLs' }).min(1, 'must have at least one URL');

export const UrlListSchema = z.preprocess(listEntries, EntriesSchema).superRefine((entries, context) => {
  const seen = new Set<string>();
  let count = 0;
  let visits = 0;
  for (const [index, entry] of entries.entries()) {
    const refuse: RefuseEntry = (message, field = 'url') =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    try {
      const urls = entry.journey ? splitJourney(entry.journey).length : sizeUpUrlPattern(entry.url).urls;
      count += urls;
      visits += urls * (entry.visits ?? 1);
      if (visits > mostUrls) {
        const each = count > mostUrls ? '' : ', each counted as often as its "visits"';
        context.addIssue(`has more than ${mostUrls} URLs after expansion${each}, the limit of one Pass`);
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
  const names = Object.keys(lists).map((name) => name.trim());
  if (names.length > mostLists) {
    context.addIssue(`must have at most ${mostLists} URL lists: User Agents may share one`);
    return z.NEVER;
  }
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    context.addIssue(`have two lists "${repeated}", as spaces around a name do not count: rename one`);
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
