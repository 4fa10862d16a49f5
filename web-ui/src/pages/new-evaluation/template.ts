import type { AgentSummary } from '#core/protocol/api/access.ts';

/** A first Evaluation to change: complete, small, and on a host that is there, if there is one. */
export function makeTemplate(agents: readonly AgentSummary[]): string {
  const connected = agents.filter(({ isConnected }) => isConnected);
  // The extension obeys no setting of the browser, which this compares.
  const agent = connected.find(({ facts }) => facts.engines.some(({ engine }) => engine !== 'extension')) ?? connected[0];
  const host = JSON.stringify(agent?.name ?? 'my-laptop');
  const engine = agent?.facts.engines.find((each) => each.engine !== 'extension')?.engine ?? 'chrome';
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
