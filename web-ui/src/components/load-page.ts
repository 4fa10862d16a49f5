import { ProblemError } from '../api/request.ts';

/** Loads the script of a page. Throws a ProblemError, which says what to do, when loading fails. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load();
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
