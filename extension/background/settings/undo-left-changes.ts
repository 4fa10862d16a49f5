import { undoProxyOfChrome } from './proxy-in-chrome.ts';
import { clearTabRules } from './tab-rules.ts';

/** Undoes what a background or a browser that died in the midst of a Visit left other than the person has it. */
export async function undoLeftChanges(): Promise<void> {
  await clearTabRules();
  await undoProxyOfChrome();
}
