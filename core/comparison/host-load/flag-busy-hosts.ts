import type { MetricComparison } from '../comparison.ts';
import type { HostLoadComparison } from './host-load-comparison.ts';
import { listBusyScenarios } from './state-host-load.ts';

/** Flags the Scenarios whose hosts were not equally busy, or busy throughout. */
export function flagBusyHosts(metrics: readonly MetricComparison[], hostLoad: HostLoadComparison): MetricComparison[] {
  return metrics.map((metric) => {
    const names = metric.scenarios.map(({ scenario }) => scenario);
    const busy = listBusyScenarios(hostLoad, names);
    return {
      ...metric,
      scenarios: metric.scenarios.map((scenario) => {
        const { distribution } = scenario;
        return distribution && busy.has(scenario.scenario)
          ? { ...scenario, distribution: { ...distribution, flags: [...distribution.flags, 'busy-host' as const] } }
          : scenario;
      }),
    };
  });
}
