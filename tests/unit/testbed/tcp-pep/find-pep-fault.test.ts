import { expect, test } from 'vitest';
import { findPepFault, listPepFigures, type TcpPepReport } from '#testbed/tcp-pep/pep-report.ts';

const counted = (at: 'terminal' | 'gateway', connections: number, passedConnections = 0): TcpPepReport => ({
  kind: 'counted',
  at,
  connections,
  passedConnections,
  fromUsersBytes: 0,
  toUsersBytes: 0,
});

const seen = { isHidden: false };

test('a PEP that split every connection of users did nothing wrong, also where they end at the gateway', () => {
  expect(findPepFault([counted('terminal', 6), counted('gateway', 6)], seen)).toBeNull();
  expect(findPepFault([counted('terminal', 6), counted('gateway', 0)], seen)).toBeNull();
});

test.for<[TcpPepReport[], string]>([
  [[counted('terminal', 0), counted('gateway', 0)], 'the PEP at the terminal saw no TCP connection'],
  [[counted('gateway', 0)], 'the PEP at the gateway saw no TCP connection'],
  [[counted('terminal', 6), counted('gateway', 4, 2)], '2 TCP connections passed the PEP at the gateway'],
  [[{ kind: 'absent', at: 'terminal', reason: 'haproxy ended (SIGSEGV)' }], 'haproxy ended (SIGSEGV)'],
])('a Round is broken by what its PEP did not do: %j', ([reports, fault]) => {
  expect(findPepFault(reports, seen)).toContain(fault);
});

test('a PEP that a tunnel hides TCP from is to see none', () => {
  expect(findPepFault([counted('terminal', 0), counted('gateway', 0)], { isHidden: true })).toBeNull();
  expect(findPepFault([counted('terminal', 0), counted('gateway', 1)], { isHidden: true })).toContain('tunnel');
});

test('figures of a PEP are by node, and absent where it was not counted', () => {
  expect(listPepFigures({ ...counted('terminal', 6), toUsersBytes: 2500 } as TcpPepReport)).toEqual([
    { figure: 'terminal PEP split', unit: 'connections', value: 6 },
    { figure: 'terminal PEP to users', unit: 'kB', value: 2.5 },
    { figure: 'terminal PEP from users', unit: 'kB', value: 0 },
  ]);
  const absent = listPepFigures({ kind: 'absent', at: 'gateway', reason: 'it ended' });
  expect(absent.map(({ value }) => value)).toEqual([null, null, null]);
});
