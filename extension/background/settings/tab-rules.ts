import browser, { type DeclarativeNetRequest } from 'webextension-polyfill';
import type { BrowserSettings, RequestKind } from '#core/evaluation/browser/browser-settings.ts';

type Rule = DeclarativeNetRequest.Rule;
type ResourceType = DeclarativeNetRequest.ResourceType;

/** https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest#type-ResourceType */
const resourceTypesOf: Record<RequestKind, ResourceType[]> = {
  image: ['image'],
  stylesheet: ['stylesheet'],
  script: ['script'],
  font: ['font'],
  media: ['media'],
  fetch: ['xmlhttprequest'],
  frame: ['sub_frame'],
};

/** All but the base page, which is meant when none are named. */
const allTypes: ResourceType[] = ['main_frame', 'other', 'ping', ...Object.values(resourceTypesOf).flat()];

export interface TabSettings extends Pick<BrowserSettings, 'blockedRequests' | 'userAgentString'> {
  /** Neither are cookies sent, nor are those of answers kept. */
  isWithoutCookies: boolean;
}

/** A change that reaches the requests of one tab only. */
interface TabChange {
  rule: Pick<Rule, 'action'> & { resourceTypes: ResourceType[] };
  /** For the person. */
  words: string;
}

/** The browser's own rules for the requests of one tab, as a Scenario asks. They last until `clearTabRules`, or until the browser ends. Returns what they change, for the person. */
export async function setTabRules(tabId: number, settings: TabSettings): Promise<string[]> {
  const changes = listTabChanges(settings);
  const rules = changes.map(({ rule: { action, resourceTypes } }, index) => ({
    id: index + 1,
    action,
    condition: { tabIds: [tabId], resourceTypes },
  }));
  await replaceRules(rules);
  return changes.map(({ words }) => words);
}

export function clearTabRules(): Promise<void> {
  return replaceRules([]);
}

function listTabChanges({ blockedRequests = [], userAgentString, isWithoutCookies }: TabSettings): TabChange[] {
  const changes: TabChange[] = [];
  if (blockedRequests.length > 0) {
    changes.push({
      rule: {
        action: { type: 'block' },
        resourceTypes: [...new Set(blockedRequests)].flatMap((kind) => resourceTypesOf[kind]),
      },
      words: `Blocked requests: ${blockedRequests.join(', ')}`,
    });
  }
  if (userAgentString !== undefined) {
    const requestHeaders = [{ header: 'user-agent', operation: 'set' as const, value: userAgentString }];
    changes.push({
      rule: { action: { type: 'modifyHeaders', requestHeaders }, resourceTypes: allTypes },
      words: `User-Agent header: ${userAgentString}`,
    });
  }
  if (isWithoutCookies) {
    const requestHeaders = [{ header: 'cookie', operation: 'remove' as const }];
    const responseHeaders = [{ header: 'set-cookie', operation: 'remove' as const }];
    changes.push({
      rule: { action: { type: 'modifyHeaders', requestHeaders, responseHeaders }, resourceTypes: allTypes },
      words: 'Cookies: not sent, and not kept',
    });
  }
  return changes;
}

/** All rules of this extension are of the one tab that is measured. */
async function replaceRules(addRules: Rule[]): Promise<void> {
  const { declarativeNetRequest } = browser;
  const removeRuleIds = (await declarativeNetRequest.getSessionRules()).map(({ id }) => id);
  await declarativeNetRequest.updateSessionRules({ removeRuleIds, addRules });
}
