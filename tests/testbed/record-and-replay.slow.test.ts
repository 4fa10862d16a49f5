import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import { summarizeSample } from '#core/statistics/summarize-sample.ts';
import type { Site } from '#core/site/site.ts';
import { openSite } from '#site/open-site.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { resolveInTestbed } from '#testbed/hosts/dns/resolve-in-testbed.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { loadAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { expectCompleted } from '../support/expect-completed.ts';
import { judgeTime } from '../support/judge-time.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { joinOverLink } from './support/join-over-link.ts';
import { holdForAll } from '#tests/support/hold.ts';

/** A site whose objects, times and distances are known: 45 images of 15 hosts. */
const hosts = Array.from({ length: 15 }, (_, index) => ({
  name: `w${index}.shop.test`,
  delayMs: 10 + 3 * index,
  thinkTimeMs: 5 + ((index * 11) % 50),
}));
const page = 'https://w0.shop.test/images/45?hosts=15';
/** After one that counts for nothing: what is done for the first time takes longer. */
const visitCount = 10;
/** Of 18 degrees of freedom, one difference in 10,000 is larger by chance, and the bound leaves room for more. */
const standardErrors = 5;

let siteCount = 0;
const overLink = holdForAll(() => joinOverLink({ userCount: 1 }));

/** As a user of the testbed records it. */
async function record(file: string, authorityFolder: string): Promise<void> {
  await using emulated = await openEmulatedNetwork({
    profile: resolveLinkProfile({ preset: 'none' }),
    userCount: 1,
    authorityFolder,
  });
  await emulated.apply({ network: NetworkSchema.parse({ link: 'none', hosts }), users: [] });
  const { certificate } = await loadAuthority(authorityFolder, epochClock());
  const program = path.resolve(import.meta.dirname, '../../cli/main.ts');
  const command = [
    ...[...emulated.network.users[0]!.enter, ...resolveInTestbed, 'env', `HTTP_AE_CHROME=${findChrome()}`],
    ...[process.execPath, program, 'site', 'record', page, '--to', file],
    ...['--trusted-key', hashPublicKey(certificate)],
  ];
  await runTool(...(command as [string, ...string[]]));
}

/** Records the site, and uploads it to the Controller under a name of its own. */
async function recordSite(): Promise<{ name: string; site: Site }> {
  await using folder = await makeTemporaryFolder();
  const name = `shop-${++siteCount}`;
  const file = path.join(folder.path, `${name}.wacz`);
  await record(file, path.join(folder.path, 'origin'));
  await overLink.program(`/api/sites?name=${name}`, { method: 'POST', body: new Uint8Array(await readFile(file)) });
  await using opened = await openSite(file);
  return { name, site: opened.site };
}

/** Visits of Chrome one after the other, each with an empty cache and new connections: all but the first. */
async function load(name: string, entry: object, network: object): Promise<VisitDetail[]> {
  const run = await overLink.run({
    name,
    urlLists: { shop: [{ ...entry, visits: visitCount + 1 }] },
    userAgents: [{ name: 'chrome', host: 'user1', engine: 'chrome', urlList: 'shop' }],
    scenarios: [{ name, baseline: true, browser: { trustedKeys: 'testbed' }, network: { link: 'none', ...network } }],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 5 },
  });
  expectCompleted(run, { visits: visitCount + 1, failedVisits: 0 });
  const visits = await overLink.readVisits(run.id);
  return visits.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)).slice(1);
}

test(
  'a replay has every object, connection and protocol of its recording, and takes as long as the site, within 5 % or 10 ms',
  { timeout: 1_200_000 },
  async (context) => {
    await judgeTime(context, {
      // A recorder that others disturb takes that for time of the servers.
      measure: async () => {
        const { name, site } = await recordSite();
        const loaded = {
          site: await load('site', { url: page }, { hosts }),
          replay: await load('replay', { site: name, page: 1 }, {}),
        };
        for (const { snapshot } of loaded.replay)
          expect(compareReplay(snapshot!, { site, page: 1, visit: 1 })).toMatchObject({
            objects: { recorded: 46, replayed: 46 },
            hosts: { recorded: 15, replayed: 15 },
            connections: { recorded: 15, replayed: 15 },
            inexact: [],
            misses: [],
            unknownHosts: [],
          });
        return loaded;
      },
      holds: (loaded) => {
        const summarise = (visits: readonly VisitDetail[], id: LatencyId) =>
          summarizeSample(visits.map(({ readings }) => readings[id]!));
        for (const id of latencyIds) {
          const [expected, replayed] = [summarise(loaded.site, id), summarise(loaded.replay, id)];
          const error = Math.hypot(expected.standardDeviation!, replayed.standardDeviation!) / Math.sqrt(visitCount);
          expect(
            Math.abs(replayed.mean - expected.mean) - standardErrors * error,
            `${id}: ${expected.mean} ms, replayed ${replayed.mean} ms, ± ${error} ms`,
          ).toBeLessThan(Math.max(10, 0.05 * expected.mean));
        }
      },
    });
  },
);
