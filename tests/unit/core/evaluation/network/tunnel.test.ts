import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { describeTunnel } from '#core/protocol/tunnel-record.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

function explain(network: object): string[] {
  const evaluation = makeEvaluation();
  const userAgents = evaluation.userAgents.map((each) => ({ ...each, userClass: 'gold' }));
  const scenarios = [{ name: 'direct', baseline: true, network: { link: 'geo-1m', ...network } }];
  const { error } = EvaluationSchema.safeParse({ ...evaluation, userAgents, scenarios });
  return (error?.issues ?? []).map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`);
}

test('a tunnel leads from the users to the origin unless it says otherwise', () => {
  const evaluation = makeEvaluation();
  const network = { link: 'geo-1m', tunnel: { kind: 'openvpn' } } as const;
  const scenarios = [{ name: 'direct', baseline: true, network }];
  expect(EvaluationSchema.parse({ ...evaluation, scenarios }).scenarios[0]!.network!.tunnel).toEqual({
    kind: 'openvpn',
    from: 'user',
    to: 'origin',
  });
});

test('a terminal and a gateway need a path', () => {
  const tunnel = { kind: 'wireguard', from: 'terminal', to: 'gateway' };
  expect(explain({ tunnel })).toEqual([
    'tunnel.from: "terminal" needs network.path, which has that node: add "path: {}", or write "user"',
    'tunnel.to: "gateway" needs network.path, which has that node: add "path: {}", or write "origin"',
  ]);
  expect(explain({ tunnel, path: {} })).toEqual([]);
  expect(explain({ tunnel, path: {}, tcpPep: { at: 'gateway' } })).toEqual([
    'tcpPep.at: the gateway is an end of the tunnel, where a PEP has no place: remove it there',
  ]);
  expect(explain({ tunnel: { kind: 'wireguard' }, path: {}, tcpPep: {} })).toEqual([]);
});

test('classes and other kinds are refused', () => {
  expect(explain({ tunnel: { kind: 'wireguard' }, classes: { gold: 1 } })).toEqual([
    expect.stringContaining('classes: is not possible with a tunnel'),
  ]);
  expect(explain({ tunnel: { kind: 'ipsec' } })).toEqual(['tunnel.kind: must be "wireguard" or "openvpn"']);
});

test('a record is one line', () => {
  const ends = { from: 'user', to: 'origin' } as const;
  expect(
    describeTunnel({ kind: 'wireguard', ...ends, program: 'wireguard-go', mtuBytes: 1440, overheadBytes: 60 }),
  ).toBe('WireGuard (wireguard-go) from user to origin, MTU 1440 bytes, 60 bytes more per packet');
});
