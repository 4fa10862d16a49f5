import { ProblemError } from '../api/problem-error.ts';

/** Loads the script of a page. Throws a ProblemError, which says what to do, when it does not come. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load();
  } catch (cause) {
    throw new ProblemError(
      { code: 'controller-unreachable', message: 'A part of the web UI did not come: check that the controller is running and that this machine reaches it, then try again. After an update, trying again brings the new version.', issues: [] },
      { cause },
    );
  }
}
