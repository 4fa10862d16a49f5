import type { MetricComparison } from '../comparison.ts';
import type { HostLoadComparison } from './host-load-comparison.ts';
import { listBusyScenarios } from './state-host-load.ts';

/** Flags the Scenarios whose hosts were not equally busy. */
export function flagBusyHosts(metrics: readonly MetricComparison[], hostLoad: HostLoadComparison): MetricComparison[] {
  const busy = listBusyScenarios(hostLoad);
  return metrics.map((metric) => ({
    ...metric,
    scenarios: metric.scenarios.map((scenario) => {
      const { distribution } = scenario;
      return distribution && busy.has(scenario.scenario)
        ? { ...scenario, distribution: { ...distribution, flags: [...distribution.flags, 'busy-host' as const] } }
        : scenario;
    }),
  }));
}
