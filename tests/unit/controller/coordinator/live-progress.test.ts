import { beforeEach, expect, test } from 'vitest';
import { LiveProgress } from '#controller/coordinator/live-progress.ts';
import { makeOrder } from '../../agent/hold-agent.ts';

const url = 'http://origin.test/';
const order = { ...makeOrder({ roundId: 'a', url }), passId: 'here' };
order.visits.push({ url: `${url}2`, repetition: 1 });
const said = (change: object = {}) => ({
  type: 'visit-ended' as const,
  passId: 'here',
  sequence: 0,
  url,
  totalMs: 900,
  code: null,
  ...change,
});

let live: LiveProgress;
beforeEach(() => {
  live = new LiveProgress();
  live.watch('7', [{ agent: 'laptop', order }]);
});

test('a Pass is as far as its Agent said last', () => {
  expect(live.of('here')).toBeNull();
  const first = { visitsMade: 1, lastUrl: url, lastTotalMs: 900 };
  expect(live.record('laptop', said())).toEqual({ runId: '7', progress: new Map([['here', first]]) });
  expect(live.of('here')).toEqual(first);
  live.record('laptop', said({ sequence: 1, url: `${url}2`, totalMs: null }));
  expect(live.of('here')).toEqual({ visitsMade: 2, lastUrl: `${url}2`, lastTotalMs: null });
});

test.for([
  ['another Agent', 'desk', {}],
  ['a Visit that was not ordered', 'laptop', { sequence: 2 }],
  ['another address', 'laptop', { url: 'http://other.test/' }],
  ['a Pass that is not under way', 'laptop', { passId: 'unknown' }],
] as const)('%s is not believed', ([, agent, change]) => {
  expect(live.record(agent, said(change))).toBeNull();
  expect(live.of('here')).toBeNull();
});

test('the next Round of a Run takes the place of the one before, and no other Run loses anything', () => {
  live.watch('8', [{ agent: 'laptop', order: { ...order, passId: 'of 8' } }]);
  live.record('laptop', said());
  live.record('laptop', said({ passId: 'of 8' }));
  live.watch('7', [{ agent: 'laptop', order: { ...order, passId: 'next' } }]);
  expect([live.of('here'), live.of('next')]).toEqual([null, null]);
  expect(live.record('laptop', said())).toBeNull();
  expect(live.record('laptop', said({ passId: 'next' }))?.runId).toBe('7');
  live.forget('8');
  expect(live.of('of 8')).toBeNull();
  expect(live.of('next')).toMatchObject({ visitsMade: 1 });
});

test('of Passes at another Controller it is known how far they are, not at which address; those here are known better', () => {
  live.hear([
    ['there', 3, 1200],
    ['here', 9, 1],
  ]);
  expect(live.of('there')).toEqual({ visitsMade: 3, lastUrl: null, lastTotalMs: 1200 });
  live.hear([['there', 4, null]]);
  expect(live.of('there')).toEqual({ visitsMade: 4, lastUrl: null, lastTotalMs: null });
  live.record('laptop', said());
  expect(live.of('here')).toMatchObject({ visitsMade: 1, lastUrl: url });
});

test('of very many Passes elsewhere those are known that were heard of last', () => {
  const hear = (name: string) => live.hear([[name, 1, 10]]);
  for (let index = 0; index < 20_000; index++) hear(`${index}`);
  hear('0');
  hear('new');
  expect(['0', '1', '2', 'new'].map((name) => live.of(name) !== null)).toEqual([true, false, true, true]);
});
