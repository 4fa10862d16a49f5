import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planClasses, type ClassesRequest } from '#testbed/classes/plan-classes.ts';
import { readClassRates, describeHtb } from '#testbed/classes/apply-classes.ts';

const request: ClassesRequest = {
  rateKbps: 1000,
  queueBytes: 75_000,
  users: [
    { sourceAddress: '198.19.1.1', userClass: 'gold' },
    { sourceAddress: 'fd00::2', userClass: 'gold' },
    { sourceAddress: '198.19.1.3', userClass: 'bronze' },
  ],
  weights: { gold: 0.8, bronze: 0.2 },
};

describe('the plan of user classes', () => {
  it('gives each class its share of all but 2 %, and each user of it an equal part', () => {
    const { totalKbps, classes } = planClasses(request);
    expect(totalKbps).toBe(980);
    expect(classes.map(({ userClass, guaranteedKbps }) => [userClass, guaranteedKbps])).toEqual([
      ['gold', 784],
      ['bronze', 196],
    ]);
    expect(classes[0]!.users.map(({ guaranteedKbps }) => guaranteedKbps)).toEqual([392, 392]);
  });

  it('takes any shares in proportion', () => {
    const { classes } = planClasses({ ...request, weights: { gold: 2, bronze: 6 } });
    expect(classes.map(({ shareRatio }) => shareRatio)).toEqual([0.25, 0.75]);
  });

  it('promises neither more nor less than there is, with any shares', () => {
    const weight = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(weight, weight, fc.double({ min: 1, max: 1e6, noNaN: true }), (gold, bronze, rateKbps) => {
        const { totalKbps, rest, classes } = planClasses({ ...request, rateKbps, weights: { gold, bronze } });
        const promised = classes.flatMap(({ users }) => users).reduce((sum, user) => sum + user.guaranteedKbps, 0);
        expect(promised).toBeCloseTo(totalKbps, 3);
        // Else all would wait in the link's one queue.
        expect(promised + rest.guaranteedKbps).toBeLessThan(rateKbps);
      }),
    );
  });

  it('has two User Agents with one address as one user', () => {
    const [first] = request.users;
    expect(planClasses({ ...request, users: [...request.users, first!] })).toEqual(planClasses(request));
  });

  it.each([
    [{ weights: { gold: -1, bronze: 1 } }, 'the share of "gold" must be above 0, not -1'],
    [{ weights: {} }, 'must name at least one user class'],
    [{ weights: { gold: 1 } }, '"bronze", the class of 198.19.1.3, has no share: add one to those of gold'],
    [
      { users: [...request.users, { sourceAddress: '198.19.1.1', userClass: 'bronze' }] },
      'users of different classes share the address 198.19.1.1',
    ],
  ])('refuses %o', (change, message) => {
    expect(() => planClasses({ ...request, ...change })).toThrow(message);
  });
});

describe('the commands', () => {
  it('give each user a queue, and what belongs to no user that of the whole link', () => {
    const { commands } = describeHtb(planClasses(request), { interface: 'link0', direction: 'forward' });
    const queues = commands.filter((words) => words.includes('bfifo'));
    expect(queues.map((words) => [words[words.indexOf('parent') + 1], words.at(-1)])).toEqual([
      ['1:2', '75000'],
      ['1:4', '30000'],
      ['1:5', '30000'],
      ['1:7', '15140'],
    ]);
  });

  it('distinguishes users by where packets go to, or come from on the way back', () => {
    const filters = (direction: 'forward' | 'return') =>
      describeHtb(planClasses(request), { interface: 'link0', direction })
        .commands.filter(([kind]) => kind === 'filter')
        .map((words) => words.slice(words.indexOf('match')).join(' '));
    expect(filters('forward')).toEqual([
      'match ip dst 198.19.1.1/32 flowid 1:4',
      'match ip6 dst fd00::2/128 flowid 1:5',
      'match ip dst 198.19.1.3/32 flowid 1:7',
    ]);
    expect(filters('return')[0]).toBe('match ip src 198.19.1.1/32 flowid 1:4');
  });
});

it('rates are read in every unit that tc prints', () => {
  const printed = `class htb 1:1 root rate 3920Kbit ceil 3920Kbit burst 3027b cburst 3027b
class htb 1:2 parent 1:1 prio 0 rate 800bit ceil 3920Kbit burst 3028b cburst 3027b
class htb 1:a parent 1:3 leaf 8008: prio 0 rate 19Mbit ceil 1Gbit burst 3027b cburst 3027b `;
  expect(Object.fromEntries(readClassRates(printed))).toEqual({ '1:1': 3920, '1:2': 0.8, '1:a': 19_000 });
});
