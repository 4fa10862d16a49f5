import type { FoundFirefox } from '#agent/engines/open-engines.ts';
import { firefoxKind } from '../browser/browser-kinds.ts';
import { findBrowser, findPresentBrowser, type BrowserSearch } from '../find-browser.ts';

/** The Firefox that an Agent is to run, by its option: a path, true to bring one where there is none, false for none; else one that is there. */
export async function chooseFirefox(
  option: string | boolean | undefined,
  search: BrowserSearch,
): Promise<FoundFirefox | null> {
  const environment =
    typeof option === 'string' ? { ...search.environment, HTTP_AE_FIREFOX: option } : search.environment;
  if (option === false) return null;
  if (option !== undefined || environment.HTTP_AE_FIREFOX)
    return { path: await findBrowser({ ...search, environment }, firefoxKind), isRequired: true };
  const path = await findPresentBrowser(search, firefoxKind);
  return path === null ? null : { path, isRequired: false };
}
