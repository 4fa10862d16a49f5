import { AppError } from '#core/app-error.ts';
import { isGone } from './rule-owner.ts';
import {
  formatRule,
  listSourceRules,
  removeSourceRule,
  versionOf,
  type IpVersion,
  type SourceRule,
} from './source-rule.ts';

/** Removes the rules of Agents on this host that were killed before they could. */
export async function removeAbandonedRules(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  for (const version of [4, 6] satisfies IpVersion[]) {
    for (const rule of await listWherePossible(version)) {
      if (isGone(rule.owner)) await removeUnlessGone(rule);
    }
  }
}

/** Another Agent that starts at the same time may be quicker. */
async function removeUnlessGone(rule: SourceRule): Promise<void> {
  try {
    await removeSourceRule(rule);
  } catch (error) {
    const rules = await listSourceRules(versionOf(rule.address));
    if (rules.some((each) => formatRule(each) === formatRule(rule))) throw error;
  }
}

async function listWherePossible(version: IpVersion): Promise<SourceRule[]> {
  try {
    return await listSourceRules(version);
  } catch (error) {
    // Without iptables, or without the right to use it, no Agent has made any.
    if (error instanceof AppError) return [];
    throw error;
  }
}
