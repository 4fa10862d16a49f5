import { unlessAborted } from '#core/waiting.ts';

/** A page of thousands of frames is not asked in all of them at once: it would answer nothing else meanwhile. */
const atATime = 32;

/** One that has not answered by then is asked still, and no longer holds up the next. */
const turnMs = 1000;

/**
 * What was answered until the signal is aborted, in order. Frames come and go, and a script of one may never end: a frame that does
 * not answer is left out, and does not hold up the others.
 */
export async function listAnswers<T>(questions: readonly (() => Promise<T>)[], signal: AbortSignal): Promise<T[]> {
  const answers = await askInTurns(questions, signal);
  return answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value);
}

/** What became of each question until the signal is aborted, in order. */
export async function askInTurns<T>(
  questions: readonly (() => Promise<T>)[],
  signal: AbortSignal,
): Promise<PromiseSettledResult<T>[]> {
  const answers: Promise<T>[] = [];
  const takeTurns = async () => {
    while (answers.length < questions.length) {
      const answer = unlessAborted(signal.aborted ? Promise.reject(asError(signal)) : ask(), signal);
      answers.push(answer);
      await passTurn(answer);
    }
  };
  const ask = () => questions[answers.length]!();
  await Promise.all(Array.from({ length: atATime }, takeTurns));
  return Promise.allSettled(answers);
}

function asError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

async function passTurn(answer: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), turnMs);
  await Promise.race([over.promise, answer.catch(() => undefined)]);
  clearTimeout(timer);
}
