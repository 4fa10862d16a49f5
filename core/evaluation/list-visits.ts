import type { Evaluation } from './evaluation.ts';
import { urlsOf } from './expand-evaluation.ts';
import type { Scenario } from './scenario.ts';
import { markOf } from './page-mark.ts';
import type { UserAgent } from './user-agent.ts';
import { rhythmOf, type UserRhythmSettings } from './user-rhythm.ts';
import { addressOf } from './url-list.ts';

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
}

/** The Visits of every Pass of a User Agent in a Scenario, in order. A warm Pass loads each URL once unmeasured, right before it is measured. */
export function listVisits(
  evaluation: Pick<Evaluation, 'pageLoad' | 'urlLists'>,
  userAgent: Pick<UserAgent, 'urlList'> & UserRhythmSettings,
  { variables = {}, browser }: Pick<Scenario, 'variables' | 'browser'>,
): PlannedVisit[] {
  const { visitsPerUrl } = rhythmOf(evaluation, userAgent);
  const firstRepetition = (browser.cache ?? evaluation.pageLoad.cache) === 'warm' ? 0 : 1;
  const repetitions = Array.from({ length: visitsPerUrl + 1 - firstRepetition }, (_, index) => firstRepetition + index);
  return urlsOf(evaluation, userAgent.urlList).flatMap(({ url: page, until }) => {
    const url = addressOf(page, variables);
    const end = until === undefined ? {} : { untilMark: markOf(until) };
    return repetitions.map((repetition) => ({ page, url, repetition, ...end }));
  });
}
