import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { openStage, type Stage } from '../stage/open-stage.ts';
import type { PassProfile } from '../stage/pass-profile.ts';
import { leadStage } from './lead-stage.ts';
import { clearTabRules, setTabRules } from './tab-rules.ts';

export interface StageSettings {
  pageLoad: Pick<PageLoad, 'cache' | 'viewport'>;
  /** Of the Scenario. */
  browser: BrowserSettings;
  /** What the Stage shares with the other Visits of its Pass. */
  kept: { profile: PassProfile; isFirst: boolean } | null;
  /** Called with what is other than the person has it, and with nothing once all is undone. */
  onChanges: (changes: string[]) => void;
}

/** A Stage where the browser is set as the Scenario says. All is undone before its window is closed. */
export async function openSetStage({ pageLoad, browser, kept, onChanges }: StageSettings): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const stage = await openStage({ ...pageLoad, viewport: browser.viewport ?? pageLoad.viewport }, kept);
  opening.use(stage);
  opening.defer(() => onChanges([]));
  // The person's own cookies are where the profile is the person's.
  const isWithoutCookies = (kept?.profile.isolation ?? stage.isolation) === 'cache-cleared';
  const changes = isWithoutCookies ? ['Cache of this browser: cleared'] : [];
  opening.defer(clearTabRules);
  changes.push(...(await setTabRules(stage.tabId, { ...browser, isWithoutCookies })));
  if (browser.proxy !== undefined) {
    const { words, undo } = await leadStage(browser.proxy, stage);
    opening.defer(undo);
    changes.push(words);
  }
  onChanges(changes);
  const opened = opening.move();
  return { ...stage, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
