import { AppError } from '#core/app-error.ts';
import { browserOf, placeOfSetting } from '#core/evaluation/browser/browser-of.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { findEngineOnHost } from '#core/protocol/find-engine-on-host.ts';
import type { OrderLine } from './order-line.ts';

/** Throws `setting-not-obeyed` when a Scenario has a setting that the engine of a User Agent, whose Agent is connected, does not obey there. */
export function requireObeyedSettings(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios }: Pick<Evaluation, 'userAgents' | 'scenarios'>,
): void {
  const obeyers = userAgents.map(({ name, host, engine }) => {
    const facts = hub.factsOf(host);
    return { name, ...(facts ? findEngineOnHost(engine, facts) : { engine }) };
  });
  for (const scenario of scenarios) {
    const [unsupported] = explainUnsupportedSettings(browserOf(scenario), obeyers);
    if (unsupported)
      throw new AppError(
        'setting-not-obeyed',
        `Scenario "${scenario.name}": ${placeOfSetting(scenario, unsupported.setting).slice(-1).join()} ${unsupported.message}`,
      );
  }
}
