import { browserOf } from '#core/evaluation/browser/browser-of.ts';
import { findRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { testbedKey } from '#core/evaluation/browser/trusted-keys.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { findEngineOnHost } from '#core/protocol/host-facts.ts';
import { checkRecording, type AgentOf, type Readiness } from './check-recording.ts';

/** What a Run of this Evaluation needs of the hosts, compared with what their Agents reported. */
export function checkReadiness(evaluation: Evaluation, agents: readonly AgentSummary[]): Readiness[] {
  const scriptHosts = unique(
    evaluation.scenarios
      .flatMap(({ setUp, afterNetwork, processes, tearDown }) => [...setUp, ...afterNetwork, ...processes, ...tearDown])
      .map(({ host }) => host),
  );
  const testbedHosts = unique(evaluation.scenarios.flatMap(({ network }) => (network ? [network.host] : [])));
  const httpepHosts = evaluation.scenarios.flatMap(({ httpep }) =>
    httpep ? [httpep.ground.host, httpep.remote.host] : [],
  );
  const points = evaluation.capture.enabled ? evaluation.capturePoints : [];
  const hosts = unique([
    ...evaluation.userAgents.map(({ host }) => host),
    ...scriptHosts,
    ...testbedHosts,
    ...httpepHosts,
    ...points.map(({ host }) => host),
  ]);
  const agentOf = (host: string) => agents.find(({ name }) => name === host);

  return [
    ...checkScenarios(evaluation),
    ...checkProtocols(evaluation),
    ...hosts.map((host) => checkAgent(host, agentOf(host))),
    ...checkEngines(evaluation, agentOf),
    ...checkSettings(evaluation, agentOf),
    ...checkPreferences(evaluation, agentOf),
    ...checkTestbedKey(evaluation, agentOf),
    ...testbedHosts.flatMap((host) => checkTestbed(host, agentOf(host))),
    ...scriptHosts.flatMap((host) => checkScripts(host, agentOf(host))),
    ...checkInterfaces(evaluation, agentOf),
    ...points.flatMap((point) =>
      checkInterface({
        user: `The Capture Point ${point.name}`,
        interfaceName: point.interface,
        agent: agentOf(point.host),
      }),
    ),
    ...checkRecording(evaluation, agentOf),
  ];
}

/** What a Run would fail for, or wait for; nothing while the Evaluation or the hosts are not known. */
export function findMissing(evaluation: Evaluation | null, agents: readonly AgentSummary[] | undefined): Readiness[] {
  return evaluation && agents ? checkReadiness(evaluation, agents).filter(({ state }) => state === 'missing') : [];
}

function checkScenarios({ scenarios }: Evaluation): Readiness[] {
  if (scenarios.length === 1)
    return [
      {
        state: 'limited',
        text: 'Only one Scenario: nothing is compared',
        fix: 'Add a second one with the change that you want to test.',
      },
    ];
  const settingsOf = (scenario: Evaluation['scenarios'][number]) =>
    JSON.stringify({ ...scenario, name: null, description: null, baseline: null });
  return scenarios.flatMap((scenario, index): Readiness[] => {
    const same = scenarios.slice(0, index).find((earlier) => settingsOf(earlier) === settingsOf(scenario));
    return same
      ? [
          {
            state: 'limited',
            text: `${scenario.name} has the same settings as ${same.name}`,
            fix: 'Change one of them, unless you want to compare a Scenario with itself.',
          },
        ]
      : [];
  });
}

/** Browsers speak HTTP/2 over TLS alone. */
function checkProtocols({ scenarios, urlLists, userAgents }: Evaluation): Readiness[] {
  const isAbout = new Set(scenarios.map(({ browser }) => JSON.stringify(browser.protocols ?? null))).size > 1;
  const used = new Set(userAgents.map(({ urlList }) => urlList));
  const urls = Object.entries(urlLists).flatMap(([name, entries]) =>
    used.has(name) ? entries.map(({ url }) => url) : [],
  );
  const plain = urls.filter((url) => /^http:/i.test(url));
  if (!isAbout || plain.length === 0) return [];
  const [whose, are] =
    plain.length === urls.length
      ? ['The URLs', 'are']
      : [`${plain.length} of ${urls.length} lines of URLs`, plain.length === 1 ? 'is' : 'are'];
  return [
    {
      state: 'limited',
      text: `${whose} ${are} http:, which browsers always load over HTTP/1.1`,
      fix: 'To compare HTTP versions, use https: addresses.',
    },
  ];
}

function checkAgent(host: string, agent: AgentSummary | undefined): Readiness {
  if (agent?.isConnected) return { state: 'ready', text: `${host} is connected`, fix: '' };
  return {
    state: 'missing',
    text: `${host} is not connected`,
    fix: agent ? 'Start its Agent again.' : 'Add it under Hosts, or choose another host.',
  };
}

function checkEngines({ userAgents }: Evaluation, agentOf: AgentOf): Readiness[] {
  const wanted = unique(userAgents.map(({ host, engine }) => JSON.stringify([host, engine]))).map(
    (key) => JSON.parse(key) as [string, string],
  );
  return wanted.flatMap(([host, engine]): Readiness[] => {
    const agent = agentOf(host);
    if (!agent) return [];
    const found = agent.facts.engines.find((each) => each.engine === engine);
    if (found) return [{ state: 'ready', text: `${host} has ${engine} (${found.version})`, fix: '' }];
    const others = agent.facts.engines.map((each) => each.engine).join(', ');
    return [
      {
        state: 'missing',
        text: `${host} has no engine ${engine}`,
        fix: describeInstallation(engine, others),
      },
    ];
  });
}

/** An Agent looks for a Firefox again; another browser it finds when it starts. */
function describeInstallation(engine: string, others: string): string {
  const install =
    engine === 'firefox'
      ? 'Install it there: its Agent finds it within a minute, unless it was started with --no-firefox.'
      : 'Install it there, and start its Agent again.';
  return others ? `${install} Or choose ${others}.` : install;
}

/** Hosts differ in what their extension obeys. */
function checkSettings({ userAgents, scenarios }: Evaluation, agentOf: AgentOf): Readiness[] {
  const obeyers = userAgents.map(({ name, host, engine }) => {
    const facts = agentOf(host)?.facts;
    return { name, ...(facts ? findEngineOnHost(engine, facts) : { engine }) };
  });
  return scenarios.flatMap((scenario) =>
    explainUnsupportedSettings(browserOf(scenario), obeyers).map(({ setting, problem, fix }): Readiness => ({
      state: 'missing',
      text: `${scenario.name}: ${setting} ${problem}`,
      fix: `${fix[0]!.toUpperCase()}${fix.slice(1)}.`,
    })),
  );
}

function checkPreferences({ userAgents, scenarios }: Evaluation, agentOf: AgentOf): Readiness[] {
  const guarded = userAgents.filter(({ host }) => agentOf(host)?.facts.anyPreferenceAllowed === false);
  return unique(guarded.map(({ host }) => host))
    .map((host) => {
      const engines = guarded
        .filter((userAgent) => userAgent.host === host)
        .map(({ engine }) => findEngineOnHost(engine, agentOf(host)?.facts));
      return {
        host,
        names: unique(
          engines.flatMap((engine) =>
            scenarios.flatMap((scenario) => findRefusedSettings(browserOf(scenario), engine)),
          ),
        ),
      };
    })
    .filter(({ names }) => names.length > 0)
    .map(({ host, names }) => ({
      state: 'missing',
      text: `${host} refuses ${names.join(', ')}`,
      fix: 'Remove it, or start the Agent with --allow-any-preference.',
    }));
}

function checkTestbedKey({ userAgents, scenarios }: Evaluation, agentOf: AgentOf): Readiness[] {
  if (!scenarios.some(({ browser }) => browser.trustedKeys.includes(testbedKey))) return [];
  return unique(userAgents.map(({ host }) => host))
    .filter((host) => agentOf(host)?.facts.origin === null)
    .map((host) => ({
      state: 'missing',
      text: `${host} is in no testbed with an origin, whose key a Scenario trusts`,
      fix: 'Use a host of ./http-ae testbed up geo-1m --join --origin, such as remote.',
    }));
}

function checkTestbed(host: string, agent: AgentSummary | undefined): Readiness[] {
  if (!agent) return [];
  if (agent.facts.testbed)
    return [{ state: 'ready', text: `${host} has a testbed (${agent.facts.testbed.backend})`, fix: '' }];
  return [
    {
      state: 'missing',
      text: `${host} has no testbed`,
      fix: 'Start one: ./http-ae testbed up geo-1m --join --origin',
    },
  ];
}

function checkScripts(host: string, agent: AgentSummary | undefined): Readiness[] {
  if (!agent) return [];
  if (agent.facts.scriptsAllowed) return [{ state: 'ready', text: `${host} allows scripts`, fix: '' }];
  return [{ state: 'missing', text: `${host} does not allow scripts`, fix: 'Start the Agent with --allow-scripts.' }];
}

function checkInterfaces({ userAgents }: Evaluation, agentOf: AgentOf): Readiness[] {
  return userAgents.flatMap(({ name, host, interface: interfaceName }) =>
    interfaceName === undefined ? [] : checkInterface({ user: name, interfaceName, agent: agentOf(host) }),
  );
}

function checkInterface({
  user,
  interfaceName,
  agent,
}: {
  user: string;
  interfaceName: string;
  agent: AgentSummary | undefined;
}): Readiness[] {
  if (!agent || agent.facts.interfaces.some(({ name }) => name === interfaceName)) return [];
  return [
    {
      state: 'missing',
      text: `${user} needs the interface ${interfaceName}, which ${agent.name} does not have`,
      fix: `Choose one of ${agent.facts.interfaces.map(({ name }) => name).join(', ')}.`,
    },
  ];
}

function unique(names: string[]): string[] {
  return [...new Set(names)];
}
