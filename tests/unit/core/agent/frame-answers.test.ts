import { expect, test } from 'vitest';
import {
  answerOf,
  answerOfPage,
  areIdle,
  askInTurns,
  askPageFirst,
  listAnswers,
  SilentFrame,
} from '#core/agent/frame-answers.ts';

const never = () => new Promise<never>(() => undefined);
const open = new AbortController().signal;

/** Frames that answer until they may no longer: one of them never does. */
const someSilent =
  (...answers: string[]) =>
  (signal: AbortSignal) =>
    new Promise<string[]>((resolve) => signal.addEventListener('abort', () => resolve(answers)));

test('frames that never answer are left out, and hold neither the page nor the other frames up', async () => {
  const answers = await askPageFirst({
    page: () => Promise.resolve('page'),
    frames: someSilent('one', 'two'),
    signal: open,
    withinMs: 0,
  });
  expect(answers).toEqual(['page', 'one', 'two']);
});

test('a page that runs a script is waited for, and its frames are asked after it', async () => {
  const page = Promise.withResolvers<string>();
  const asked: string[] = [];
  const answers = askPageFirst({
    page: () => page.promise,
    frames: () => {
      asked.push('frames');
      return Promise.resolve(['frame']);
    },
    signal: open,
    withinMs: 0,
  });
  // Longer than frames may take.
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toEqual([]);
  page.resolve('page');
  expect(await answers).toEqual(['page', 'frame']);
});

test('what is replaced meanwhile has no answer, and nothing is thrown', async () => {
  const gone = () => Promise.reject(new Error('No such frame'));
  const frames = () => Promise.resolve(['frame']);
  expect(await askPageFirst({ page: gone, frames, signal: open })).toEqual(['frame']);
  expect(await askPageFirst({ page: () => Promise.resolve('page'), frames: gone, signal: open })).toEqual(['page']);
});

test('nothing is asked once the Visit has had its time', async () => {
  const cap = new AbortController();
  const answers = askPageFirst({ page: never, frames: () => expect.unreachable(), signal: cap.signal });
  cap.abort(new Error('The hard cap'));
  expect(await answers).toEqual([]);
});

test('a document that never answers, as one that is replaced in Firefox, is asked again', async () => {
  expect(await answerOfPage(never(), { signal: open, withinMs: 0 })).toBeNull();
  expect(await answerOfPage(Promise.resolve(true), { signal: open })).toBe(true);
});

test('a frame that does not answer is silent, and one that went away is not', async () => {
  await expect(answerOf(never(), 0)).rejects.toThrow(SilentFrame);
  await expect(answerOf(Promise.reject(new Error('No such frame')))).rejects.toThrow('No such frame');
  expect(await answerOf(Promise.resolve(7))).toBe(7);
});

test('frames are idle where none of them loads an image or a font', () => {
  const idle = { pendingImageCount: 0, isLoadingFonts: false };
  expect(areIdle([])).toBe(true);
  expect(areIdle([idle, null, undefined])).toBe(true);
  expect(areIdle([idle, { ...idle, pendingImageCount: 1 }])).toBe(false);
  expect(areIdle([{ ...idle, isLoadingFonts: true }, null])).toBe(false);
});

test('thousands of frames are asked some at a time, and answer in their order', async () => {
  let underWay = 0;
  let most = 0;
  const questions = Array.from({ length: 2100 }, (_, index) => async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return index;
  });
  const answers = await listAnswers(questions, new AbortController().signal);
  expect(answers).toEqual(questions.map((_, index) => index));
  expect(most).toBe(32);
});

test('as many frames as are asked at a time do not hold up the others where they never answer', async () => {
  const over = new AbortController();
  const answered = () => {
    over.abort(new Error('enough'));
    return Promise.resolve('answered');
  };
  const answers = await askInTurns([...Array.from({ length: 32 }, () => never), answered, never], over.signal);
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 32 }, () => 'rejected'),
    'fulfilled',
    'rejected',
  ]);
});
