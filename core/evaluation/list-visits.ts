import type { Evaluation } from './evaluation.ts';
import { urlsOf } from './expand-evaluation.ts';

/** One load that a Pass is to make. */
export interface PlannedVisit {
  url: string;
  /** Which measured load of this URL within the Pass, from 1; 0 is the unmeasured first load of a warm Pass. */
  repetition: number;
}

/** The Visits of every Pass of a User Agent with this URL list, in order. A warm Pass loads each URL once unmeasured, right before it is measured. */
export function listVisits(evaluation: Pick<Evaluation, 'pageLoad' | 'urlLists'>, urlList: string): PlannedVisit[] {
  const { cache, visitsPerUrl } = evaluation.pageLoad;
  const firstRepetition = cache === 'warm' ? 0 : 1;
  const repetitions = Array.from({ length: visitsPerUrl + 1 - firstRepetition }, (_, index) => firstRepetition + index);
  return urlsOf(evaluation, urlList).flatMap(({ url }) => repetitions.map((repetition) => ({ url, repetition })));
}
