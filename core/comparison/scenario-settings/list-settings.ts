import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Scenario, Script } from '../../evaluation/scenario.ts';
import { listBrowserSettings } from './list-browser-settings.ts';
import { listNetworkSettings } from './list-network-settings.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

/** All settings of a Scenario, in words: its variables, those of the browser, of the network, and its scripts. */
export function listSettings(
  {
    variables = {},
    browser,
    network,
    setUp,
    tearDown,
  }: Pick<Scenario, 'variables' | 'browser' | 'network' | 'setUp' | 'tearDown'>,
  pageLoad: Evaluation['pageLoad'],
): ScenarioSetting[] {
  return [
    ...Object.entries(variables).map(([name, value]) => ({ name: `Variable ${name}`, value, words: String(value) })),
    ...listBrowserSettings(browser, pageLoad),
    ...listNetworkSettings(network),
    listScripts('Set-up scripts', setUp),
    listScripts('Tear-down scripts', tearDown),
  ];
}

function listScripts(name: string, scripts: readonly Script[]): ScenarioSetting {
  const show = (headOf: (script: Script) => string) =>
    scripts.map((script) => `# ${headOf(script)}\n${script.script.trimEnd()}`).join('\n\n') || 'none';
  return {
    name,
    value: scripts,
    words: show(({ host }) => `on ${host}`),
    wholeWords: show(({ host, timeoutMs }) => `on ${host}, for at most ${timeoutMs} ms`),
    isScript: true,
  };
}
