import { z } from 'zod';
import type { RecordedVisit } from '../../record/run-record.ts';
import { sampleQuantile, sortNumbers } from '../../statistics/sample-quantile.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

/** By how much hosts may have made the latencies of a Visit longer, over the Visits of a Scenario that loaded (ms). An upper bound for each: what waited may not have been needed. */
export const HostDelaySchema = z.object({
  scenario: z.string(),
  visits: z.number().int(),
  meanMs: z.number(),
  p95Ms: z.number(),
});
export type HostDelay = z.infer<typeof HostDelaySchema>;

/** Of the Scenarios with Visits whose Agents reported it, in their order. */
export function describeHostDelays(visits: readonly RecordedVisit[], scenarios: readonly string[]): HostDelay[] {
  const delays = new Map<string, number[]>(scenarios.map((scenario) => [scenario, []]));
  for (const { scenario, isFailed, isExcluded, hostDelayMs } of visits)
    if (!isFailed && !isExcluded && hostDelayMs !== null) delays.get(scenario)?.push(hostDelayMs);
  return [...delays].flatMap(([scenario, values]) =>
    values.length === 0
      ? []
      : [
          {
            scenario,
            visits: values.length,
            meanMs: summarizeSample(values).mean,
            p95Ms: sampleQuantile(sortNumbers(values), 0.95),
          },
        ],
  );
}
