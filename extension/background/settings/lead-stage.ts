import { hasContainers } from '../../agent-state/page-access.ts';
import { mayUseProxies } from '../../agent-state/proxy-permit.ts';
import type { Stage } from '../stage/open-stage.ts';
import type { BrowserChange } from './browser-change.ts';
import { leadStageInChrome } from './proxy-in-chrome.ts';
import { leadStageInFirefox } from './proxy-in-firefox.ts';

/** Has the window of a Visit ask by a proxy. Throws where the person, or another extension, does not let it. */
export async function leadStage(proxy: string, stage: Stage): Promise<BrowserChange> {
  if (!(await mayUseProxies())) throw new Error('the person at this browser no longer permits proxies');
  return hasContainers() ? leadStageInFirefox(proxy, stage) : leadStageInChrome(proxy, stage);
}
