import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ranks, type Rank } from '#httpep/scheduler/flow.ts';
import { creditBytes, spellBytes } from '#httpep/scheduler/least-service-first.ts';
import {
  schedulerNames,
  quantumBytes,
  openingBytes,
  turnBytes,
  type SchedulerName,
} from '#httpep/scheduler/scheduler.ts';
import { chunkBytes, Queue, type Wish } from './support/queue.ts';

const { page, blocking, other } = ranks;
const of = (user: string, userClass: string, bytes: number, rank: Rank = other): Wish => ({
  user,
  userClass,
  bytes,
  rank,
});
const papers = { gold: 50, silver: 30, bronze: 20 };
const fairNames = ['fair', 'least-service-first'] as const;

describe('classes', () => {
  test.for(schedulerNames)('%s: three backlogged classes have their shares within a chunk', (name) => {
    const queue = new Queue({ name, weights: papers });
    for (const userClass of Object.keys(papers)) queue.add(of(userClass, userClass, 1e6));
    queue.send(500_000);
    expect(Math.abs(queue.ofUser('gold') - 250_000)).toBeLessThan(3 * chunkBytes);
    expect(Math.abs(queue.ofUser('silver') - 150_000)).toBeLessThan(3 * chunkBytes);
    expect(Math.abs(queue.ofUser('bronze') - 100_000)).toBeLessThan(3 * chunkBytes);
  });

  test.for(fairNames)('%s: two users of a class share what the class has', (name) => {
    const queue = new Queue({ name, weights: papers });
    for (const [user, userClass] of [
      ['a', 'gold'],
      ['b', 'bronze'],
      ['c', 'bronze'],
    ] as const)
      queue.add(of(user, userClass, 1e6));
    queue.send(700_000);
    expect(queue.ofUser('a') / 700_000).toBeCloseTo(5 / 7, 2);
    expect(Math.abs(queue.ofUser('b') - queue.ofUser('c'))).toBeLessThanOrEqual(quantumBytes + chunkBytes);
  });

  test.for(schedulerNames)('%s: the share of a class without anything to send goes to the others', (name) => {
    const queue = new Queue({ name, weights: papers });
    queue.add(of('b', 'silver', 1e6));
    queue.add(of('c', 'bronze', 1e6));
    queue.send(500_000);
    expect(queue.ofUser('b') / 500_000).toBeCloseTo(0.6, 2);
  });

  test.for(schedulerNames)('%s: a class that rested is not paid back for it', (name) => {
    const queue = new Queue({ name, weights: papers });
    queue.add(of('b', 'silver', 1e6));
    queue.send(300_000);
    queue.add(of('a', 'gold', 1e6));
    const before = queue.ofUser('b');
    queue.send(80_000);
    expect((queue.ofUser('b') - before) / 80_000).toBeCloseTo(3 / 8, 1);
  });
});

describe('users', () => {
  test('fifo: who asked first has everything first', () => {
    const queue = new Queue({ name: 'fifo', weights: {} });
    for (const user of ['a', 'b', 'c']) for (let n = 0; n < 10; n++) queue.add(of(user, 'any', 10_000));
    queue.send(100_000);
    expect([queue.ofUser('a'), queue.ofUser('b')]).toEqual([100_000, 0]);
  });

  test('round-robin: a user with twice the flows has twice the bytes', () => {
    const queue = new Queue({ name: 'round-robin', weights: {} });
    for (const user of ['a', 'a', 'b']) queue.add(of(user, 'any', 1e6));
    queue.send(300_000);
    expect(queue.ofUser('a') / queue.ofUser('b')).toBeCloseTo(2, 1);
  });

  test.for(fairNames)('%s: a user with thirty images has no more than one with a single file', (name) => {
    const queue = new Queue({ name, weights: {} });
    for (let n = 0; n < 30; n++) queue.add(of('a', 'any', 10_000));
    queue.add(of('b', 'any', 1e6));
    queue.send(200_000);
    expect(Math.abs(queue.ofUser('a') - queue.ofUser('b'))).toBeLessThanOrEqual(quantumBytes + chunkBytes);
  });

  test.for([...fairNames, 'turns'] as const)("%s: another user's page starts at once among 30 images", (name) => {
    const queue = new Queue({ name, weights: {} });
    for (let n = 0; n < 30; n++) queue.add(of('a', 'any', 10_000));
    queue.send(100_000);
    const started = queue.sent.length;
    queue.add(of('b', 'any', 8000, page));
    queue.send(100_000);
    const last = queue.sent.findLastIndex(({ flow }) => flow.user === 'b');
    const bytes = queue.sent.slice(started, last + 1).reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(2 * 8000 + 2 * (quantumBytes + chunkBytes));
  });

  test('least-service-first: who comes late is served alone, up to what it is owed', () => {
    const queue = new Queue({ name: 'least-service-first', weights: {} });
    queue.add(of('a', 'any', 1e6));
    queue.send(500_000);
    queue.add(of('b', 'any', 1e6));
    const before = queue.ofUser('a');
    queue.send(creditBytes);
    expect(queue.ofUser('a') - before).toBeLessThanOrEqual(chunkBytes);
    queue.send(100_000);
    expect(queue.ofUser('a') - before).toBeGreaterThan(49_000);
  });

  test.for([...fairNames, 'turns'] as const)('%s: pages before what holds up drawing, before images', (name) => {
    const queue = new Queue({ name, weights: {} });
    queue.add(of('a', 'any', 5000, other));
    queue.add(of('a', 'any', 5000, blocking));
    queue.add(of('a', 'any', 5000, page));
    queue.send(Infinity);
    expect([...new Set(queue.sent.map(({ flow }) => flow.rank))]).toEqual([page, blocking, other]);
  });

  test.for([...fairNames, 'turns'] as const)('%s: a download holds up nothing that its user asks for later', (name) => {
    const queue = new Queue({ name, weights: {} });
    const download = queue.add(of('a', 'any', 10e6));
    queue.send(1e6);
    const late = queue.add(of('a', 'any', 10_000));
    const second = queue.add(of('a', 'any', 10e6));
    queue.send(spellBytes + 10_000 + chunkBytes);
    expect(queue.bytesOf((flow) => flow === late)).toBe(10_000);
    const before = queue.bytesOf((flow) => flow === download);
    queue.send(1e6);
    const more = queue.bytesOf((flow) => flow === download) - before;
    expect(Math.abs(more - queue.bytesOf((flow) => flow === second))).toBeLessThanOrEqual(spellBytes + 2 * chunkBytes);
  });

  test.for([...fairNames, 'turns'] as const)('%s: objects of usual size come whole, in their order', (name) => {
    const queue = new Queue({ name, weights: {} });
    const all = Array.from({ length: 5 }, () => queue.add(of('a', 'any', 60_000)));
    queue.send(Infinity);
    expect(queue.sent.map(({ flow }) => flow).filter((flow, n, flows) => flow !== flows[n - 1])).toEqual(all);
  });
});

describe('N equal loads that come together end in the mean, in times of one load, after', () => {
  const users = ['a', 'b', 'c', 'd', 'e'];
  const meanEnd = (name: SchedulerName, loadBytes = 300_000) => {
    const queue = new Queue({ name, weights: {} });
    for (const user of users) for (let n = 0; n < 30; n++) queue.add(of(user, 'any', loadBytes / 30));
    queue.send(Infinity);
    const ends = users.map((user) => {
      const last = queue.sent.findLastIndex(({ flow }) => flow.user === user);
      return queue.sent.slice(0, last + 1).reduce((sum, { bytes }) => sum + bytes, 0) / loadBytes;
    });
    return ends.reduce((sum, end) => sum + end, 0) / users.length;
  };

  test.for(['fifo', ...fairNames] as const)(
    '%s: (N + 1) / 2 one after the other, N in turns of a few segments',
    (name) => {
      expect(meanEnd(name)).toBeCloseTo(name === 'fifo' ? 3 : 5, 1);
    },
  );

  test('turns: (N + 1) / 2, and what the openings of those to come delay', () => {
    // The one that ends nth waits for the openings of the N − n others: (N − 1) / 2 of them in the mean.
    expect(meanEnd('turns')).toBeCloseTo(3 + 2 * (openingBytes / 300_000), 1);
    // Loads that are no longer than an opening.
    expect(meanEnd('turns', 12_000)).toBeCloseTo(3, 1);
  });
});

test('turns: one user after another, the least served first, at most a turn before any that waits', () => {
  const queue = new Queue({ name: 'turns', weights: {} });
  for (const user of ['a', 'b']) queue.add(of(user, 'any', 1e6));
  queue.send(2 * openingBytes + turnBytes);
  expect(queue.ofUser('a') - queue.ofUser('b')).toBeGreaterThanOrEqual(turnBytes - 2 * chunkBytes);
  const before = queue.ofUser('a');
  queue.send(turnBytes);
  expect(queue.ofUser('a') - before).toBeLessThanOrEqual(2 * chunkBytes);
});

test('turns: small loads without end do not keep others waiting', () => {
  const queue = new Queue({ name: 'turns', weights: {} });
  queue.add(of('a', 'any', 10e6));
  for (let n = 0; n < 200; n++) {
    queue.add(of('b', 'any', openingBytes, page));
    queue.send(openingBytes);
  }
  expect(queue.ofUser('b') - queue.ofUser('a')).toBeLessThanOrEqual(turnBytes + creditBytes + openingBytes);
});

/** What happens to a queue: a flow comes, or bytes are sent. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      user: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.integer({ min: 1, max: 30_000 }),
      rank: fc.constantFrom<Rank>(page, blocking, other),
    }),
    fc.integer({ min: 1, max: 40_000 }),
  ),
  { maxLength: 60 },
);
const classOf = (user: string) => (user === 'a' ? 'gold' : user === 'b' ? 'silver' : 'bronze');

function play(queue: Queue, step: number | { user: string; bytes: number; rank: Rank }): void {
  if (typeof step === 'number') queue.send(step);
  else queue.add({ ...step, userClass: classOf(step.user) });
}

test.for(schedulerNames)(
  '%s: whatever comes when, all is sent once, and nothing rests while something waits',
  (name) => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new Queue({ name, weights: papers });
        let expected = 0;
        for (const step of all) {
          play(queue, step);
          if (typeof step !== 'number') expected += step.bytes;
        }
        queue.send(Infinity);
        expect(queue.bytesOf(() => true)).toBe(expected);
        expect(queue.scheduler.next()).toBeNull();
      }),
    );
  },
);

/** Twice the longest chunk and a quantum: Shreedhar and Varghese, theorem on fairness. */
const boundBytes = {
  fair: quantumBytes + 2 * chunkBytes,
  'least-service-first': 2 * chunkBytes + creditBytes,
  turns: 2 * chunkBytes + turnBytes,
};

test.for(['fair', 'least-service-first', 'turns'] as const)(
  '%s: two users that always wait never differ by more than the bound, with any others beside',
  (name) => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new Queue({ name, weights: {} });
        for (const user of ['x', 'y']) queue.add(of(user, 'bronze', 1e9));
        for (const step of all) {
          if (typeof step === 'number') queue.send(step);
          else queue.add({ ...step, userClass: 'bronze' });
          expect(Math.abs(queue.ofUser('x') - queue.ofUser('y'))).toBeLessThanOrEqual(boundBytes[name]);
        }
      }),
    );
  },
);
