import { AppError } from '#core/app-error.ts';
import { listPortRules, removePortRules, type PortRule } from './port-rule.ts';
import {
  formatRule,
  listSourceRules,
  removeSourceRule,
  versionOf,
  type IpVersion,
  type SourceRule,
  isGone,
} from './source-rule.ts';

/** Removes the rules of Agents on this host that were killed before they could. */
export async function removeAbandonedRules(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  for (const version of [4, 6] satisfies IpVersion[]) {
    for (const rule of await listWherePossible(() => listSourceRules(version)))
      if (isGone(rule.owner)) await removeUnlessGone(rule);
    for (const rule of await listWherePossible(() => listPortRules(version)))
      if (isGone(rule.owner)) await removePortRulesUnlessGone(rule, version);
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

async function removePortRulesUnlessGone(rule: PortRule, version: IpVersion): Promise<void> {
  try {
    await removePortRules(rule, version);
  } catch (error) {
    const rules = await listPortRules(version);
    if (rules.some((each) => JSON.stringify(each) === JSON.stringify(rule))) throw error;
  }
}

async function listWherePossible<Rule>(list: () => Promise<Rule[]>): Promise<Rule[]> {
  try {
    return await list();
  } catch (error) {
    // Without iptables, or without the right to use it, no Agent has made any.
    if (error instanceof AppError) return [];
    throw error;
  }
}
