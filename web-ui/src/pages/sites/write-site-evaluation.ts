import { stringify } from 'yaml';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-name.ts';
import { listMeasurers } from '../evaluation/list-measurers.ts';

/** The names of a testbed's Agents, unless it was started with others. */
const userHost = 'remote';

interface SiteEvaluationOptions {
  site: { name: string; page: number };
  agents: readonly AgentSummary[];
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
}

/** An Evaluation that loads a page of a Site over two links of the testbed, as a text to continue with. */
export function writeSiteEvaluation({ site, agents, takenNames }: SiteEvaluationOptions): string {
  const engine = listMeasurers(agents).find(({ host }) => host === userHost)?.engine ?? 'chrome';
  const sections = [
    { name: findFreeTitle(site.name, takenNames) },
    { urlLists: { [site.name]: { site: site.name, page: site.page } } },
    {
      scenarios: [
        { name: 'Cable', baseline: true, network: { link: 'cable' } },
        { name: 'Satellite', network: { link: 'geo-1m' } },
      ],
    },
    { userAgents: [{ name: 'User', host: userHost, engine, urlList: site.name }] },
    { repetition: { rounds: 5 } },
  ];
  return sections.map((section) => stringify(section, { lineWidth: 0 })).join('\n');
}
