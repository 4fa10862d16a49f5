import { expect, test } from 'vitest';
import { VisitUploader } from '#core/agent/visit-uploader.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { SentVisit } from '#core/protocol/sent-visit.ts';

function createUploader(ids: string[]) {
  const state = {
    waiting: [...ids],
    aside: [] as string[],
    mustWait: false,
    beforeRead: () => Promise.resolve(),
    sent: [] as string[][],
    requests: 0,
    warnings: [] as string[],
  };
  const take = (taken: readonly string[]) => (state.waiting = state.waiting.filter((id) => !taken.includes(id)));
  const spool = {
    countWaiting: () => state.waiting.length,
    nextBatch: async () => {
      await state.beforeRead();
      return state.waiting.slice(0, 2).map((id) => ({ visit: { id } as SentVisit, snapshot: null }));
    },
    forget: (taken: readonly string[]) => void take(taken),
    setAside: (taken: readonly string[]) => {
      take(taken);
      state.aside.push(...taken);
    },
  };
  const send = (message: AgentMessage) => {
    if (message.type === 'visits') state.sent.push(message.visits.map(({ id }) => id));
    else if (message.type === 'visits-waiting') state.requests++;
  };
  return {
    state,
    uploader: new VisitUploader(spool, {
      send,
      mustWait: () => state.mustWait,
      warn: (message) => state.warnings.push(message),
    }),
  };
}

test('it requests a turn, sends a batch, and requests the next turn when all of the batch is acknowledged', async () => {
  const { state, uploader } = createUploader(['a', 'b', 'c']);
  await uploader.announce();
  expect(state.requests).toBe(1);
  await uploader.uploadNext();
  expect(state.sent).toEqual([['a', 'b']]);
  await uploader.handleStored(['a']);
  expect(state.requests).toBe(1);
  await uploader.handleStored(['b']);
  expect(state.requests).toBe(2);
  await uploader.uploadNext();
  await uploader.handleStored(['c']);
  expect({ sent: state.sent.at(-1), requests: state.requests, waiting: state.waiting }).toEqual({
    sent: ['c'],
    requests: 2,
    waiting: [],
  });
});

test('while it must wait it requests nothing, and gives its turn back', async () => {
  const { state, uploader } = createUploader(['a']);
  state.mustWait = true;
  await uploader.announce();
  await uploader.uploadNext();
  expect(state).toMatchObject({ requests: 0, sent: [[]], waiting: ['a'] });
});

test('two turns at once send a Visit once', async () => {
  const { state, uploader } = createUploader(['a']);
  await Promise.all([uploader.uploadNext(), uploader.uploadNext()]);
  expect(state.sent).toEqual([['a']]);
});

test('what was refused is set aside, and what was on its way when the line broke is sent again', async () => {
  const { state, uploader } = createUploader(['a', 'b']);
  await uploader.uploadNext();
  await uploader.handleRefused(['a'], 'no such Pass');
  expect(state).toMatchObject({ aside: ['a'], waiting: ['b'] });
  expect(state.warnings).toEqual(['The Controller refused 1 Visits (no such Pass). They are set aside']);
  uploader.handleDisconnect();
  await uploader.uploadNext();
  expect(state.sent.at(-1)).toEqual(['b']);
});

test('a line that breaks while films are read takes the turn with it: the Visits are sent in the next one', async () => {
  const { state, uploader } = createUploader(['a']);
  const read = Promise.withResolvers<void>();
  state.beforeRead = () => read.promise;
  const uploading = uploader.uploadNext();
  uploader.handleDisconnect();
  state.mustWait = true; // there is no line
  read.resolve();
  await uploading;
  expect(state.sent).toEqual([]);
  state.mustWait = false;
  await uploader.announce();
  expect(state.requests).toBe(1);
  await uploader.uploadNext();
  expect(state.sent).toEqual([['a']]);
});

test('a turn on the next line that comes while films are read is used once', async () => {
  const { state, uploader } = createUploader(['a']);
  const read = Promise.withResolvers<void>();
  state.beforeRead = () => read.promise;
  const uploading = uploader.uploadNext();
  uploader.handleDisconnect();
  await uploader.uploadNext();
  read.resolve();
  await uploading;
  expect(state.sent).toEqual([['a']]);
});

test('a Pass that begins while films are read is not disturbed by their upload', async () => {
  const { state, uploader } = createUploader(['a']);
  state.beforeRead = () => {
    state.mustWait = true;
    return Promise.resolve();
  };
  await uploader.uploadNext();
  expect(state.sent).toEqual([[]]);
  state.mustWait = false;
  state.beforeRead = () => Promise.resolve();
  await uploader.uploadNext();
  expect(state.sent).toEqual([[], ['a']]);
});
