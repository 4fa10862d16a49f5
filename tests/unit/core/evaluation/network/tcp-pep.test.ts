import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { TcpPepSchema } from '#core/evaluation/network/tcp-pep.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

test('a PEP is at both nodes, or at the one that is named', () => {
  expect(TcpPepSchema.parse({})).toEqual({ at: ['terminal', 'gateway'], program: 'haproxy' });
  expect(TcpPepSchema.parse({ at: 'gateway' }).at).toEqual(['gateway']);
});

test.for([
  [{ at: [] }, 'must name the terminal, the gateway, or both'],
  [{ at: ['gateway', 'gateway'] }, 'must name each node once'],
  [{ at: 'ground' }, 'must be "terminal" or "gateway"'],
  [{ program: 'squid' }, 'must be "haproxy" or "pepsal"'],
  [{ windowBytes: 100 }, 'must be at least 8192'],
] as const)('%j is refused', ([input, message]) => {
  expect(TcpPepSchema.safeParse(input).error?.issues[0]?.message).toContain(message);
});

test('a PEP without a path is refused, with what to write', () => {
  const evaluation = makeEvaluation();
  const issuesOf = (path: Record<string, unknown>) => {
    const network = NetworkSchema.parse({ link: 'geo-1m', tcpPep: {}, ...path });
    const scenarios = evaluation.scenarios.map((scenario) => ({ ...scenario, network }));
    return EvaluationSchema.safeParse({ ...evaluation, scenarios }).error?.issues ?? [];
  };
  expect(issuesOf({})[0]).toMatchObject({
    path: ['scenarios', 0, 'network', 'tcpPep'],
    message: expect.stringContaining('write "path: {}" beside "link"') as string,
  });
  expect(issuesOf({ path: {} })).toEqual([]);
});
