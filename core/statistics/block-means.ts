import type { Observation } from './observation.ts';
import { summarizeSample } from './summarize-sample.ts';

/**
 * The mean of each Block, by Block: first over the Visits of each (User Agent × URL), then over these, so that each counts alike.
 * Users within a Round depend on each other, and so do the pages they load; the Round is what is independent. A Block
 * without a value is left out.
 */
export function blockMeans(observations: Iterable<Observation>): Map<number, number> {
  const means = new Map<number, number>();
  for (const [block, ofBlock] of Map.groupBy(observations, ({ block }) => block)) {
    const cells = [...cellMeans(ofBlock).values()];
    if (cells.length > 0) means.set(block, summarizeSample(cells).mean);
  }
  return means;
}

/** The mean over the Visits of each (User Agent × URL) that has a value. */
export function cellMeans(observations: Iterable<Observation>): Map<string, number> {
  const means = new Map<string, number>();
  for (const [key, ofCell] of Map.groupBy(observations, ({ userAgent, url }) => JSON.stringify([userAgent, url]))) {
    const values = ofCell.flatMap(({ value }) => (value === null ? [] : [value]));
    if (values.length > 0) means.set(key, summarizeSample(values).mean);
  }
  return means;
}
