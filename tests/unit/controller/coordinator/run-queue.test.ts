import { expect, test } from 'vitest';
import { findMeeting, planQueue, type AgentPlace, type QueuedRun } from '#controller/coordinator/plan-queue.ts';
import { describeMeeting, describeWaiting } from '#core/protocol/meeting.ts';

/** An Agent on a machine of its own. */
const at = (agent: string, place: Partial<AgentPlace> = {}): AgentPlace => ({
  agent,
  machine: `machine of ${agent}`,
  address: null,
  originHost: null,
  ...place,
});
const on = (places: AgentPlace[] | null, ...shared: string[]) => ({ places, shared });
const meetingOf = (...[one, other]: Parameters<typeof findMeeting>) => {
  const [meeting, back] = [findMeeting(one, other), findMeeting(other, one)];
  expect(back?.kind).toBe(meeting?.kind);
  return meeting && describeMeeting(meeting);
};

test.for([
  ['nothing', on([at('a')], 'origin:x.test', 'resource:one'), on([at('b')], 'origin:y.test', 'resource:two'), null],
  ['an Agent', on([at('a'), at('ground')]), on([at('ground')]), 'host ground'],
  [
    'five Agents',
    on(['a', 'b', 'c', 'd', 'e'].map((name) => at(name))),
    on(['e', 'd', 'c', 'b', 'a'].map((name) => at(name))),
    'hosts a, b, c and 2 more',
  ],
  ['a machine', on([at('a', { machine: 'm' })]), on([at('b', { machine: 'm' })]), 'hosts a and b may be one machine'],
  ['a declared resource', on([at('a')], 'resource:origin-1'), on([at('b')], 'resource:origin-1'), 'resource origin-1'],
  ['the host of a URL', on([at('a')], 'origin:www.test'), on([at('b')], 'origin:www.test'), 'origin www.test'],
  ['a name that is a resource here and an origin there', on([at('a')], 'resource:x'), on([at('b')], 'origin:x'), null],
  [
    'an Agent that was never seen, which may be anywhere',
    on([at('new', { machine: null })]),
    on([at('b')]),
    'the machine of host new is not known',
  ],
  ['what was not kept', on(null), on([at('b')]), 'its hosts are not known'],
  [
    'the address of an Agent that does not know its machine',
    on([at('phone', { machine: null, address: '192.0.2.1' })]),
    on([at('b', { address: '192.0.2.1' })]),
    'hosts phone and b may be one machine',
  ],
  [
    'such an Agent elsewhere',
    on([at('phone', { machine: null, address: '192.0.2.1' })]),
    on([at('b', { address: '192.0.2.2' }), at('tab', { machine: null, address: '192.0.2.3' })]),
    null,
  ],
  [
    'the addresses of two testbeds, each with an origin inside',
    on([at('a', { originHost: '10.0.0.1' })], 'origin:10.0.0.1'),
    on([at('b', { originHost: '10.0.0.1' })], 'origin:10.0.0.1'),
    null,
  ],
  [
    'an origin beside an Agent of only one of them',
    on([at('a', { originHost: '192.0.2.9' })], 'origin:192.0.2.9'),
    on([at('b')], 'origin:192.0.2.9'),
    'origin 192.0.2.9',
  ],
] as const)('two Runs that share %s', ([, one, other, meeting]) => {
  expect(meetingOf(one, other)).toBe(meeting);
});

const run = (id: string, hosts: string[], state: Partial<QueuedRun> = {}): QueuedRun => ({
  id,
  name: `Evaluation of ${id}`,
  isUnderWay: false,
  isReady: true,
  shared: [],
  places: hosts.map((host) => at(host)),
  ...state,
});
const waits = (runs: QueuedRun[], oneAtATime = false) =>
  Object.fromEntries(
    [...planQueue(runs, { oneAtATime })].map(([id, awaited]) => [id, awaited.map(({ runId }) => runId)]),
  );

test('a Run waits for each that it meets: those under way, and earlier ones that wait themselves', () => {
  const queue = [
    run('1', ['a', 'b'], { isUnderWay: true }),
    run('2', ['b', 'c']),
    run('3', ['c']),
    run('4', ['d']),
    run('5', ['d']),
  ];
  expect(waits(queue)).toEqual({ '2': ['1'], '3': ['2'], '4': [], '5': ['4'] });
  expect(describeWaiting(planQueue(queue, { oneAtATime: false }).get('3')!)).toBe('Run 2: host c');
});

test('a Run that waits for a paused one says so, as somebody has to resume that', () => {
  const plan = planQueue([run('1', ['a'], { isUnderWay: true, isPaused: true }), run('2', ['a'])], {
    oneAtATime: false,
  });
  expect(describeWaiting(plan.get('2')!)).toBe('Run 1, which is paused: host a');
});

test('with one Run at a time each waits for all before it', () => {
  expect(waits([run('1', ['a'], { isUnderWay: true }), run('2', ['b']), run('3', ['c'])], true)).toEqual({
    '2': ['1'],
    '3': ['1', '2'],
  });
});

test('a Run whose hosts never came holds up nobody', () => {
  expect(waits([run('1', ['a'], { isReady: false }), run('2', ['a'])])).toEqual({ '1': [], '2': [] });
});

test('however many small Runs come, one that needs all hosts has its turn', () => {
  const hosts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  let next = 0;
  let underWay = hosts.map((host) => run(String(++next), [host], { isUnderWay: true }));
  const pending = [run('all', hosts)];
  for (let step = 0; !underWay.some(({ id }) => id === 'all'); step++) {
    expect(step).toBeLessThanOrEqual(hosts.length);
    underWay = underWay.slice(1); // one ends,
    pending.push(run(String(++next), [hosts[step % hosts.length]!])); // and another is started
    const plan = planQueue([...underWay, ...pending], { oneAtATime: false });
    const free = pending.find(({ id }) => plan.get(id)!.length === 0);
    if (free) underWay.push({ ...pending.splice(pending.indexOf(free), 1)[0]!, isUnderWay: true });
  }
});
