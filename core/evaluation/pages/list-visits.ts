import type { Evaluation } from '../evaluation.ts';
import { urlsOf } from '../rounds/expand-evaluation.ts';
import { lastMarkOf, type JourneyLeg } from '../journey/journey.ts';
import { takesPart } from '../scenarios/solo-scenarios.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { markOf } from './page-mark.ts';
import { type UserAgent, rhythmOf, type UserRhythmSettings } from '../users/user-agent.ts';
import type { ReplayedPage } from '../../metrics/snapshot.ts';
import { addressOf, type ExpandedUrl } from './url-entry.ts';
import { fillVariables, type Variables } from './variables.ts';

/** One load that a Pass is to make. */
export interface PlannedVisit {
  /** What pairs it with the same load in other Scenarios. */
  page: string;
  /** The address that is loaded: the page with the variables of the Scenario. */
  url: string;
  /** Which measured load of this URL within the Pass, from 1; 0 is the unmeasured first load of a warm Pass. */
  repetition: number;
  /** The User Timing mark that it waits for. */
  untilMark?: string;
  /** Of a page of a recorded Site. */
  replay?: ReplayedPage;
  /** Of a Visit of a journey; the Visits of one journey follow each other. */
  leg?: JourneyLeg;
}

/** The Visits of every Pass of a User Agent in a Scenario, in order; none where it does not take part. A warm Pass loads each URL, and makes each journey, once unmeasured, right before it is measured. */
export function listVisits(
  evaluation: Pick<Evaluation, 'pageLoad' | 'urlLists'>,
  userAgent: Pick<UserAgent, 'name' | 'urlList'> & UserRhythmSettings,
  scenario: Pick<Scenario, 'userAgents' | 'variables' | 'browser'>,
): PlannedVisit[] {
  if (!takesPart(scenario, userAgent.name)) return [];
  const { variables = {}, browser } = scenario;
  const { visitsPerUrl } = rhythmOf(evaluation, userAgent);
  const firstRepetition = (browser.cache ?? evaluation.pageLoad.cache) === 'warm' ? 0 : 1;
  return groupByJourney(urlsOf(evaluation, userAgent.urlList)).flatMap((pages) => {
    const planned = pages.map((page) => planPage(page, variables));
    const last = pages[0]!.visits * visitsPerUrl;
    const repetitions = Array.from({ length: last + 1 - firstRepetition }, (_, index) => firstRepetition + index);
    return repetitions.flatMap((repetition) => planned.map((visit) => ({ ...visit, repetition })));
  });
}

/** How many Visits `listVisits` lists. */
export interface VisitCount {
  measured: number;
  /** The unmeasured first loads of a warm Pass. */
  cacheFilling: number;
}

/** Counts the Visits of a Pass without listing them: an Evaluation may have billions. */
export function visitCounter(
  evaluation: Pick<Evaluation, 'pageLoad' | 'urlLists'>,
): (...of: [Parameters<typeof listVisits>[1], Parameters<typeof listVisits>[2]]) => VisitCount {
  const sizes = new Map<string, { pages: number; visits: number }>();
  const sizeOf = (urlList: string) => {
    const size = sizes.get(urlList) ?? { pages: 0, visits: 0 };
    if (sizes.has(urlList)) return size;
    for (const pages of groupByJourney(urlsOf(evaluation, urlList))) {
      size.pages += pages.length;
      size.visits += pages.length * pages[0]!.visits;
    }
    sizes.set(urlList, size);
    return size;
  };
  return (userAgent, scenario) => {
    if (!takesPart(scenario, userAgent.name)) return { measured: 0, cacheFilling: 0 };
    const { pages, visits } = sizeOf(userAgent.urlList);
    const isWarm = (scenario.browser.cache ?? evaluation.pageLoad.cache) === 'warm';
    return { measured: visits * rhythmOf(evaluation, userAgent).visitsPerUrl, cacheFilling: isWarm ? pages : 0 };
  };
}

/** What is repeated together: the pages of a journey, or one page. */
function groupByJourney(pages: readonly ExpandedUrl[]): ExpandedUrl[][] {
  const groups: ExpandedUrl[][] = [];
  for (const page of pages) {
    if (page.leg && page.leg.number > 1) groups.at(-1)!.push(page);
    else groups.push([page]);
  }
  return groups;
}

function planPage(page: ExpandedUrl, variables: Variables): Omit<PlannedVisit, 'repetition'> {
  const { url, until, recordedEpochMs, leg } = page;
  const untilMark = leg ? lastMarkOf(leg) : until === undefined ? undefined : markOf(until);
  return {
    page: url,
    url: addressOf(page, variables),
    ...(untilMark !== undefined && { untilMark }),
    ...(recordedEpochMs !== undefined && { replay: { recordedEpochMs } }),
    ...(leg && { leg: fillLeg(leg, variables) }),
  };
}

/** Variables of Scenarios are in addresses alone: what a user types stays as it was written. */
function fillLeg(leg: JourneyLeg, variables: Variables): JourneyLeg {
  const lead = leg.lead.map(({ step, ...rest }) => {
    const { assertedEvents } = step;
    const asserting = assertedEvents && {
      ...step,
      assertedEvents: assertedEvents.map(({ url, ...event }) => ({
        ...event,
        ...(url !== undefined && { url: fillVariables(url, variables) }),
      })),
    };
    const filled = asserting ?? step;
    return {
      ...rest,
      step: filled.type === 'navigate' ? { ...filled, url: fillVariables(filled.url, variables) } : filled,
    };
  });
  return { ...leg, lead };
}
