import type { RunContext } from './run-context.ts';

const lookAgainMs = 2_000;

/** Resolves at the next commit of what Agents uploaded, after two seconds, or when aborted, whichever comes first. */
export function nextUpload({ uploads, signal }: Pick<RunContext, 'uploads' | 'signal'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lookAgainMs);
  uploads.on('stored', resolve);
  const abort = () => resolve();
  signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    uploads.off('stored', resolve);
    signal.removeEventListener('abort', abort);
  });
}
