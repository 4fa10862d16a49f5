import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { openStage, type Stage, type PassProfile } from '../stage/open-stage.ts';
import { clearTabRules, setTabRules } from './tab-rules.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { mayUseProxies } from '../../agent-state/proxy-permit.ts';
import type { BrowserChange } from './browser-change.ts';
import { leadStageInChrome } from './proxy-in-chrome.ts';
import { leadStageInFirefox } from './proxy-in-firefox.ts';

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

/** Has the window of a Visit ask by a proxy. Throws where the person, or another extension, does not let it. */
async function leadStage(proxy: string, stage: Stage): Promise<BrowserChange> {
  if (!(await mayUseProxies())) throw new Error('the person at this browser no longer permits proxies');
  return hasContainers() ? leadStageInFirefox(proxy, stage) : leadStageInChrome(proxy, stage);
}
