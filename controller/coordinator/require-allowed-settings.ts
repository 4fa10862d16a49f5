import { AppError } from '#core/app-error.ts';
import { explainRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { findEngineOnHost } from '#core/protocol/find-engine-on-host.ts';
import type { OrderLine } from './order-line.ts';

/** Throws `preference-not-allowed` when the Agent of a User Agent, which is connected, would refuse what a Scenario sets. */
export function requireAllowedSettings(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios }: Pick<Evaluation, 'userAgents' | 'scenarios'>,
): void {
  for (const { host, engine } of userAgents) {
    const facts = hub.factsOf(host);
    if (facts?.anyPreferenceAllowed !== false) continue;
    for (const { name, browser } of scenarios) {
      const refusal = explainRefusedSettings(browser, { ...findEngineOnHost(engine, facts), agent: host });
      if (refusal !== null) throw new AppError('preference-not-allowed', `Scenario "${name}": ${refusal}`);
    }
  }
}
