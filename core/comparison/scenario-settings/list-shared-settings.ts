import type { Evaluation } from '../../evaluation/evaluation.ts';
import { ScenarioSchema } from '../../evaluation/scenarios/scenario.ts';
import { listSettings } from './list-settings.ts';
import type { SharedSetting } from './scenario-conditions.ts';
import { isSame } from './scenario-setting.ts';
import { shorten } from './shorten-apart.ts';

/** What the Evaluation set for every Scenario alike. */
export function listSharedSettings({
  scenarios,
  pageLoad,
}: Pick<Evaluation, 'scenarios' | 'pageLoad'>): SharedSetting[] {
  const [first, ...others] = scenarios.map(
    (scenario) => new Map(listSettings(scenario, pageLoad).map((setting) => [setting.name, setting])),
  );
  const unset = new Map(
    listSettings(ScenarioSchema.parse({ name: 'unset' }), pageLoad).map((setting) => [setting.name, setting]),
  );
  return [...first!.values()]
    .filter(
      (setting) =>
        !isSame(setting, unset.get(setting.name)) &&
        others.every((settings) => isSame(setting, settings.get(setting.name))),
    )
    .map(({ name, words, isScript = false }) => ({ setting: name, words: shorten(words), isScript }));
}
