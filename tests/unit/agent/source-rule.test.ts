import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { formatRule, isGone, parseRule, readOwnOwner, type SourceRule } from '#agent/users/source-rule.ts';

const rule: SourceRule = {
  interface: 'eth0.7',
  uid: 20_001,
  address: '10.9.1.1',
  owner: { pidNamespace: '4026531836', pid: 812, startTicks: 99_123 },
};

it('a rule is read back from what iptables lists, in the notation of either of its variants', () => {
  const listed = `-A POSTROUTING ${formatRule(rule)}`;
  expect(parseRule(listed)).toEqual(rule);
  expect(parseRule(listed.replace(/(http-ae\S+)/, '"$1"'))).toEqual(rule);
  expect(parseRule(`-A POSTROUTING ${formatRule({ ...rule, address: 'fd00::5' })}`)).toEqual({
    ...rule,
    address: 'fd00::5',
  });
});

it('a rule that is not of an Agent is not read', () => {
  const listed = `-A POSTROUTING ${formatRule(rule)}`;
  expect(parseRule(listed.replace(/-m comment --comment \S+ /, ''))).toBeNull();
  expect(parseRule(listed.replace('http-ae-', 'other-'))).toBeNull();
  expect(parseRule(listed.replace('POSTROUTING', 'OUTPUT'))).toBeNull();
  expect(parseRule(`${listed} --random`)).toBeNull();
});

it.runIf(process.platform === 'linux')('a rule is taken away only where it is certain that its process is gone', () => {
  const own = readOwnOwner();
  expect(own.pid).toBe(process.pid);
  const { pid } = spawnSync('true');
  const owners = {
    'this process': own,
    'a process that had the same id': { ...own, startTicks: own.startTicks - 1 },
    'a process that has ended': { ...own, pid },
    'a process that is numbered elsewhere': { ...own, pidNamespace: '1' },
    'a process that has ended, numbered elsewhere': { pidNamespace: '1', pid, startTicks: 1 },
  };
  expect(
    Object.entries(owners)
      .filter(([, owner]) => isGone(owner))
      .map(([what]) => what),
  ).toEqual(['a process that had the same id', 'a process that has ended']);
});
