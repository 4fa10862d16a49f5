import { expect, test, vi } from 'vitest';
import type { RunNotice } from '#controller/agents/exchange/open-exchange.ts';
import type { Notice } from '#controller/database/listening-line.ts';
import { openPlayedExchange, type PlayedExchange } from './support/open-played-exchange.ts';

/** The notices that were sent. */
const sentBy = ({ database }: PlayedExchange): Notice[] =>
  database.heard
    .filter((text) => text.includes('pg_notify'))
    .map((text) => {
      const [, notice] = JSON.parse(text.slice(text.indexOf('['))) as [string, string];
      return JSON.parse(notice) as Notice;
    });
const open = (others: number) => {
  const played = openPlayedExchange({ others });
  played.database.knows.set('pg_notify', () => []);
  return played;
};
const progress = (visitsMade: number, lastTotalMs: number | null) => ({
  visitsMade,
  lastUrl: 'http://a.test/',
  lastTotalMs,
});

test('the others hear of a Run that they may take, and of a token that was revoked', async () => {
  await using played = open(1);
  played.exchange.announceRun('7');
  played.exchange.announceRevoked('3');
  expect(sentBy(played)).toEqual([
    { kind: 'run', from: 'here', run: '7', isWork: true, passes: [] },
    { kind: 'token', token: '3' },
  ]);
});

test('changes are gathered for a quarter of a second: of each Pass, how far it is last', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using played = open(1);
    const { changes } = played.exchange;
    changes.note('7', new Map([['a', progress(1, 900)]]));
    changes.note('8');
    changes.note('7', new Map([['b', progress(4, null)]]));
    changes.note('7', new Map([['a', progress(2, 800)]]));
    vi.advanceTimersByTime(249);
    expect(sentBy(played)).toEqual([]);
    vi.advanceTimersByTime(1);
    const [first, second] = [
      {
        kind: 'run',
        from: 'here',
        run: '7',
        isWork: false,
        passes: [
          ['a', 2, 800],
          ['b', 4, null],
        ],
      },
      { kind: 'run', from: 'here', run: '8', isWork: false, passes: [] },
    ];
    expect(sentBy(played)).toEqual([first, second]);
    changes.note('8');
    vi.advanceTimersByTime(250);
    expect(sentBy(played)).toEqual([first, second, second]);

    // More Passes than one notice has room for.
    changes.note('9', new Map(Array.from({ length: 201 }, (_, index) => [`${index}`, progress(index, 1)])));
    vi.advanceTimersByTime(250);
    const sizes = sentBy(played)
      .slice(3)
      .map((notice) => (notice.kind === 'run' ? notice.passes.length : null));
    expect(sizes).toEqual([100, 100, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test('a Controller that is alone sends nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using played = open(0);
    played.exchange.announceRun('7');
    played.exchange.announceRevoked('3');
    played.exchange.changes.note('7');
    vi.advanceTimersByTime(1000);
    expect(sentBy(played)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('notices of other Controllers about Runs are heard, and its own are not', async () => {
  await using played = open(1);
  const heard: RunNotice[] = [];
  played.exchange.onRun((notice) => heard.push(notice));
  const notice = (from: string): RunNotice => ({ kind: 'run', from, run: '7', isWork: true, passes: [['a', 1, 2]] });
  played.listening.emit('notice', notice('here'));
  played.listening.emit('notice', notice('there'));
  expect(heard).toEqual([notice('there')]);
});

test('messages for this Controller are read when a notice comes, those for others are not', async () => {
  await using played = open(1);
  const reads = () => played.database.heard.filter((text) => text.includes('from controller_message')).length;
  played.listening.emit('notice', { kind: 'messages', to: 'there' });
  await played.time.pass(0);
  expect(reads()).toBe(0);
  played.listening.emit('notice', { kind: 'messages', to: 'here' });
  await played.time.pass(0);
  expect(reads()).toBe(1);
});
