import { unlessAborted } from '#core/unless-aborted.ts';

/**
 * What was answered until the signal is aborted, in order. Frames come and go, and a script of one may never end: a frame that does
 * not answer is left out, and does not hold up the others.
 */
export async function listAnswers<T>(questions: readonly Promise<T>[], signal: AbortSignal): Promise<T[]> {
  const answers = await Promise.allSettled(questions.map((question) => unlessAborted(question, signal)));
  return answers.filter((answer) => answer.status === 'fulfilled').map((answer) => answer.value);
}
