import type { AgentSummary } from '#core/protocol/api/access.ts';

/** What obeys the settings that the template compares: browsers before the client that shows nothing. */
const preferredEngines = ['chrome', 'firefox', 'http'] as const;

/** A first Evaluation to change: complete, small, and on a host that is there, if there is one. */
export function makeTemplate(agents: readonly AgentSummary[]): string {
  const connected = agents.filter(({ isConnected }) => isConnected);
  const hostWith = (wanted: string) => connected.find(({ facts }) => facts.engines.some(({ engine }) => engine === wanted))?.name;
  const engine = preferredEngines.find((each) => hostWith(each) !== undefined) ?? 'chrome';
  const host = JSON.stringify(hostWith(engine) ?? connected[0]?.name ?? 'my-laptop');
  return `name: HTTP/1.1 v HTTP/2
description: Two users load the same pages at the same time.

urlLists:
  pages:
    # {5..25..5} stands for each number; the report can plot latency against a variable.
    - url: https://origin.example/images/{5..25..5}
      label: "{1} images"
      variables: { images: "{1}" }

scenarios:
  - name: HTTP/1.1
    baseline: true
    browser: { protocols: [http/1.1] }
  - name: HTTP/2

userAgents:
  # host is the name of a connected Agent: see Hosts.
  - { name: Ann, host: ${host}, engine: ${engine}, urlList: pages }
  - { name: Ben, host: ${host}, engine: ${engine}, urlList: pages }

repetition:
  rounds: 5
`;
}
