import { expect, test } from 'vitest';
import { NameLookups, type Resolve } from '#httpep/ground/name-lookups.ts';

test('users have their names looked up in turn: names of one that nobody answers for hold up no other', () => {
  const asked: { host: string; answer: Parameters<Resolve>[2] }[] = [];
  const resolve: Resolve = (host, _, answer) => void asked.push({ host, answer });
  const names = new NameLookups({ resolve, places: 2 });
  const found: string[] = [];
  const look = (user: string, host: string) =>
    names.of({ user, mayReach: () => true })(host, {}, (error) => found.push(error ? `no ${host}` : host));
  for (const host of ['a1', 'a2', 'a3', 'a4', 'a5']) look('ann', host);
  for (const host of ['b1', 'b2']) look('bob', host);
  look('eve', 'e1');
  const fail = Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' });
  for (let next = 0; next < asked.length; next++)
    asked[next]!.answer(next === 0 ? fail : null, [{ address: '192.0.2.1', family: 4 }]);
  expect(asked.map(({ host }) => host)).toEqual(['a1', 'a2', 'a3', 'b1', 'e1', 'a4', 'b2', 'a5']);
  expect(found).toEqual(['no a1', 'a2', 'a3', 'b1', 'e1', 'a4', 'b2', 'a5']);
  look('eve', 'e2');
  expect(asked.at(-1)!.host).toBe('e2');
});
