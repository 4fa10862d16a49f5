import { expect, it } from 'vitest';
import { formatRule, parseRule, type SourceRule } from '#agent/users/source-rule.ts';

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
