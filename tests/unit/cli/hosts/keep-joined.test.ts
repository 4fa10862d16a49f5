import { expect, test } from 'vitest';
import type { SshHost } from '#cli/hosts/inventory/ssh-host.ts';
import { keepJoined } from '#cli/hosts/run-hosts-up.ts';
import type { SessionEnd } from '#cli/hosts/ssh/remote-session.ts';

const host: SshHost = { name: 'lab-1', address: 'lab-1', sshArguments: [], isRootWanted: false, agentArguments: [] };
const broken: SessionEnd = { isDone: false, isBroken: true, wordsOfSsh: 'Connection reset', lastWords: '' };
const ended: SessionEnd = { isDone: false, isBroken: false, wordsOfSsh: '', lastWords: 'The token was revoked' };
const pauses = { firstMs: 1, longestMs: 4 };

/** A session that ends so, and whether it was disposed of. */
function openSession(end: Promise<SessionEnd>) {
  const session = {
    ended: end,
    isClosed: false,
    [Symbol.asyncDispose]: () => Promise.resolve(void (session.isClosed = true)),
  };
  return session;
}

test('a broken connection is made again after longer and longer pauses, one whose Agent ended by itself is not', async () => {
  const said: string[] = [];
  const changes: boolean[] = [];
  let tries = 0;
  await keepJoined(host, {
    session: openSession(Promise.resolve(broken)),
    join: () => {
      tries++;
      if (tries < 3) return Promise.resolve({ kind: 'failed', reason: `no sshd listens (${tries})` });
      return Promise.resolve({ kind: 'joined', session: openSession(Promise.resolve(ended)) });
    },
    mayJoin: () => Promise.resolve(true),
    onChange: (isRight) => void changes.push(isRight),
    say: (line) => void said.push(line),
    signal: new AbortController().signal,
    pauses: { firstMs: 20, longestMs: 40 },
  });
  expect(tries).toBe(3);
  expect(said).toEqual([
    'the connection ended: Connection reset',
    'connecting again in 0.02 s',
    'no sshd listens (1)',
    'connecting again in 0.04 s',
    'no sshd listens (2)',
    'connecting again in 0.04 s',
    'joined again',
    'the connection ended: The token was revoked',
  ]);
  expect(changes).toEqual([false, true, false]);
});

test.for([
  ['whose connection broke', broken],
  ['whose Agent ended', ended],
] as const)('a host that was taken down, %s, is left alone, and no failure', async ([, end]) => {
  const said: string[] = [];
  const changes: boolean[] = [];
  await keepJoined(host, {
    session: openSession(Promise.resolve(end)),
    join: () => Promise.reject(new Error('It must not be joined')),
    mayJoin: () => Promise.resolve(false),
    onChange: (isRight) => void changes.push(isRight),
    say: (line) => void said.push(line),
    signal: new AbortController().signal,
    pauses,
  });
  expect(said.at(-1)).toBe(end.isBroken ? '"hosts down" has ended it' : 'the connection ended: The token was revoked');
  expect(changes).toEqual([false, true]);
});

test('the end of the command closes the channel, and ends a pause', async () => {
  const stopping = new AbortController();
  const session = openSession(new Promise(() => undefined));
  const options = {
    join: () => Promise.reject(new Error('It must not be joined')),
    mayJoin: () => Promise.resolve(true),
    onChange: () => undefined,
    say: () => undefined,
    signal: stopping.signal,
  };
  const held = keepJoined(host, { ...options, session });
  const pausing = keepJoined(host, {
    ...options,
    session: openSession(Promise.resolve(broken)),
    pauses: { firstMs: 1e6, longestMs: 1e6 },
  });
  stopping.abort();
  await Promise.all([held, pausing]);
  expect(session.isClosed).toBe(true);
});
