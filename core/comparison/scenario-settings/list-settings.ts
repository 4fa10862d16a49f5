import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Scenario, Script } from '../../evaluation/scenarios/scenario.ts';
import type { ScenarioProcess } from '../../evaluation/scenarios/scenario-process.ts';
import { listBrowserSettings } from './list-browser-settings.ts';
import { listHttpepSettings } from './list-httpep-settings.ts';
import { listNetworkSettings } from './list-network-settings.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

/** All settings of a Scenario, in words: its variables, those of the browser, of the network, and its scripts. */
export function listSettings(
  {
    variables = {},
    browser,
    network,
    httpep,
    setUp,
    afterNetwork,
    processes,
    tearDown,
  }: Pick<
    Scenario,
    'variables' | 'browser' | 'network' | 'httpep' | 'setUp' | 'afterNetwork' | 'processes' | 'tearDown'
  >,
  pageLoad: Evaluation['pageLoad'],
): ScenarioSetting[] {
  return [
    ...Object.entries(variables).map(([name, value]) => ({ name: `Variable ${name}`, value, words: String(value) })),
    ...listBrowserSettings(browser, pageLoad),
    ...listNetworkSettings(network),
    ...listHttpepSettings(httpep),
    listScripts('Set-up scripts', setUp),
    ...(afterNetwork.length > 0 ? [listScripts('Scripts after the network', afterNetwork)] : []),
    ...processes.map(describeProcess),
    listScripts('Tear-down scripts', tearDown),
  ];
}

function describeProcess(process: ScenarioProcess): ScenarioSetting {
  const { name, host, command } = process;
  return {
    name: `Process ${name}`,
    value: process,
    words: `# on ${host}\n${command}`,
    wholeWords: JSON.stringify(process, null, 2),
    isScript: true,
  };
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
