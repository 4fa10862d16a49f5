import { z } from 'zod';
import { NameSchema } from '../name.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** Of an entry that is a page of a recorded Site. */
export const sitePageFields = {
  site: NameSchema.optional().describe(
    'Instead of `url`: the name of a recorded Site at the Controller, or its file. The testbed replays it, so every Scenario needs `network`.',
  ),
  page: z
    .number({ error: 'must be the number of a page of the Site' })
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .optional()
    .describe('Which page of the Site. Without it, the first.'),
  recording: z
    .strictObject({
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256')
        .describe('SHA-256 of the file.'),
      recordedEpochMs: z
        .number()
        .positive('must be above 0')
        .max(8e15, 'must be at most 8000000000000000')
        .describe('When the recorded visit began, in epoch ms.'),
    })
    .optional()
    .describe('Which file the Site had, and when the page was recorded. The Controller writes it, as it writes `url`.'),
};

type SitePage = { [Field in keyof typeof sitePageFields]?: z.infer<(typeof sitePageFields)[Field]> };
type UrlLists = Readonly<Record<string, readonly SitePage[]>>;

/** The address of a page whose Site has not been looked up: the Controller does as it stores the Evaluation. No host has this name (RFC 2606). */
export function nameUnknownPage({ site, page }: { site: unknown; page: unknown }): string {
  return `https://site.invalid/${encodeURIComponent(typeof site === 'string' ? site : '')}/${typeof page === 'number' ? page : 1}`;
}

/** A Site of an Evaluation with those of its pages that are loaded. */
export interface LoadedSite {
  name: string;
  /** Null where it has not been looked up. */
  sha256: string | null;
  pages: number[];
}

/** In the order of the URL lists. */
export function listLoadedSites(urlLists: UrlLists): LoadedSite[] {
  const sites = new Map<string, LoadedSite>();
  for (const { site, page = 1, recording } of Object.values(urlLists).flat()) {
    if (site === undefined) continue;
    const known = sites.get(site) ?? { name: site, sha256: recording?.sha256 ?? null, pages: [] };
    sites.set(site, { ...known, pages: [...new Set([...known.pages, page])] });
  }
  return [...sites.values()];
}

/** Reports each Scenario that has no testbed to replay a Site, and settings that a replay leaves no place for. */
export function refuseUnclearSites(
  { urlLists, scenarios }: { urlLists: UrlLists; scenarios: readonly Scenario[] },
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const [site] = listLoadedSites(urlLists);
  const hasNetworks = scenarios.some(({ network }) => network);
  scenarios.forEach(({ network }, index) => {
    const refuseHere = (field: string[], message: string) => refuse(['scenarios', index, 'network', ...field], message);
    if (!site) {
      if (network?.replay) refuseHere(['replay'], 'is for pages of recorded Sites, and no URL list has one');
    } else if (!network) {
      // Where others have one, that is reported already.
      if (!hasNetworks)
        refuseHere(
          [],
          `is missing: the testbed replays the Site "${site.name}". Write "network: { link: none }" for a link without limits`,
        );
    } else if (network.hosts) refuseHere(['hosts'], `are those of the Site "${site.name}": remove it`);
    else if (network.tunnel)
      refuseHere(['tunnel'], `ends before the hosts of the Site "${site.name}": remove it, or the Site`);
  });
}
