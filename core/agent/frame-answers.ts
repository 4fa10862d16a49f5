import { awaitedInVainMs } from '../metrics/settle-rule.ts';
import { unlessAborted } from '../waiting.ts';

/** How long a page or frame may leave the simplest question without an answer: longer only where a script of it never ends. */
export const answerWithinMs = 10_000;

/** A frame that is there, and does not answer what takes no time. */
export class SilentFrame extends Error {
  override readonly name = 'SilentFrame';
}

/** What a frame answers to what takes no time. Throws a SilentFrame where it does not: a script of it never ends. */
export async function answerOf<Answer>(answer: Promise<Answer>, withinMs: number = answerWithinMs): Promise<Answer> {
  const limit = AbortSignal.timeout(withinMs);
  try {
    return await unlessAborted(answer, limit);
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw new SilentFrame(`A frame did not answer for ${withinMs} ms`);
  }
}

/** What a page answers while it loads; null where it does not for `withinMs`, as a document that is replaced meanwhile: it is to be asked again. */
export async function answerOfPage<Answer>(
  answer: Promise<Answer>,
  { signal, withinMs = awaitedInVainMs }: { signal: AbortSignal; withinMs?: number },
): Promise<Answer | null> {
  return unlessAborted(answer, AbortSignal.any([signal, AbortSignal.timeout(withinMs)])).catch(() => null);
}

interface Asked<Answer> {
  page: () => Promise<Answer>;
  /** Asks the frames within it, and gives what they answered until the signal is aborted. */
  frames: (signal: AbortSignal) => Promise<readonly Answer[]>;
  signal: AbortSignal;
  /** How long frames may take. */
  withinMs?: number;
}

/**
 * What a page and its frames answer while they load. A page that does not answer runs a script, and what that brings is part of it: it is waited for. Frames may have processes of their own, where a
 * script never ends: they are left out after `withinMs`. So is the page where it is replaced meanwhile.
 */
export async function askPageFirst<Answer>({
  page,
  frames,
  signal,
  withinMs = awaitedInVainMs,
}: Asked<Answer>): Promise<Answer[]> {
  const ofPage = await unlessAborted(page(), signal).then(
    (answer) => [answer],
    () => [],
  );
  if (signal.aborted) return ofPage;
  const ofFrames = await frames(AbortSignal.any([signal, AbortSignal.timeout(withinMs)])).catch(() => []);
  return [...ofPage, ...ofFrames];
}

/** What the probe of a frame says of it while it loads; null or nothing of one without the probe, which has no scripts: the network shows all that it loads. */
interface FrameStatus {
  pendingImageCount: number;
  isLoadingFonts: boolean;
}

/** Whether none of them still loads an image or a font. */
export function areIdle(statuses: readonly (FrameStatus | null | undefined)[]): boolean {
  return statuses.every((status) => !status || (status.pendingImageCount === 0 && !status.isLoadingFonts));
}

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
