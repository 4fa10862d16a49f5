import { ProblemError } from './request.ts';

const retryAfterMs = 500;

/**
 * Loads the script of a page, or of a part of one. It is tried twice: browsers give up requests when an interface of their machine comes or goes, as those of testbeds do. Throws a
 * ProblemError, which says what to do, when loading fails.
 */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  const loadLater = async () => {
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    return load();
  };
  try {
    return await load().catch(loadLater);
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'controller-unreachable',
        message:
          'A part of the web UI did not load. Check that the Controller is running and reachable, then try again.',
        issues: [],
      },
      { cause },
    );
  }
}
