import { expect, test } from 'vitest';
import { z } from 'zod';
import { BidiConnection } from '#agent/engines/firefox/bidi-connection.ts';
import { systemAccessFlag } from '#agent/engines/firefox/browser-world.ts';
import { startProcess } from '#agent/engines/firefox/start-process.ts';
import { findRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { findFirefox, isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession } from './support/open-session.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

const firefoxTest = test.skipIf(isFirefoxLeftOut);

/** Allowed ones whose name is that of something outside a page, looked at one by one: docs/security.md says what they can do. */
const looked = new Set([
  'network.trr.uri',
  'network.trr.custom_uri',
  'network.trr.default_provider_uri',
  'network.trr.resolvers',
  'network.trr.ohttp.uri',
  'network.trr.ohttp.config_uri',
  'network.trr.ohttp.relay_uri',
  'network.trr_ui.skip_reason_learn_more_url',
  'network.dns.forceResolve',
  'network.http.http3.alt-svc-mapping-for-testing',
  // Lists of sites for which a rule of the browser is another.
  'network.cookie.sameSite.laxByDefault.disabledHosts',
  'privacy.restrict3rdpartystorage.partitionedHosts',
  'privacy.restrict3rdpartystorage.userInteractionRequiredForHosts',
  'privacy.restrict3rdpartystorage.url_decorations',
  'privacy.trackingprotection.content.annotation.test_list_urls',
  'privacy.trackingprotection.content.protection.test_list_urls',
  'security.tls.insecure_fallback_hosts',
]);
/** Of what is outside a page, such a name has one of these words. */
const outside =
  /(?:^|[._-])(?:ur[il]s?|dir|directory|folder|path|file(?:name)?|lib(?:rary)?|command|exec|program|sso|q?log|server|hosts?|resolvers?|resolve|mapping)(?=$|[._-])|(?:Hosts|Url|Path|Dir|Resolve)$/;

const AnswerSchema = z.object({ result: z.object({ type: z.literal('string'), value: z.string() }) });

/** Calls a function in the world of a Firefox of its own, as that is by default, and gives its value, which is any JSON: parse it. */
async function askFirefox(functionText: string): Promise<unknown> {
  await using folder = await makeTemporaryFolder();
  const process = await startProcess({
    executablePath: findFirefox(),
    args: [systemAccessFlag],
    userPrefs: '',
    folder: folder.path,
  });
  try {
    const connection = await BidiConnection.open({ url: `${process.bidiUrl}/session`, answerWithinMs: 60_000 });
    await connection.send('session.new', { capabilities: { alwaysMatch: {} } });
    const { contexts } = z
      .object({ contexts: z.array(z.object({ context: z.string() })) })
      .parse(await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 }));
    const answer = await connection.send('script.callFunction', {
      functionDeclaration: `() => JSON.stringify((${functionText})())`,
      target: { context: contexts[0]!.context },
      awaitPromise: false,
    });
    connection.end();
    return JSON.parse(AnswerSchema.parse(answer).result.value);
  } finally {
    await process.end();
  }
}

/** All texts among the preferences that this Firefox knows. */
async function listTexts(): Promise<string[]> {
  const texts = await askFirefox(
    "() => Services.prefs.getChildList('').filter((name) => Services.prefs.getPrefType(name) === Services.prefs.PREF_STRING)",
  );
  return z.array(z.string()).parse(texts);
}

/** With these on, Firefox asks servers of its maker whether it is online: a test asks nobody. */
const asksElsewhere = new Set(['network.captive-portal-service.enabled', 'network.connectivity-service.enabled']);

type Prefs = Record<string, boolean | number | string>;

/** All preferences that this Firefox knows and a Scenario may set, each with another value than by default: the opposite, the next number, no text. */
async function listChanges(): Promise<[string, boolean | number | string][]> {
  const known = await askFirefox(
    `() => Services.prefs.getChildList('').map((name) => {
      const { PREF_BOOL, PREF_INT } = Services.prefs;
      const type = Services.prefs.getPrefType(name);
      if (type === PREF_BOOL) return [name, !Services.prefs.getBoolPref(name, false)];
      return [name, type === PREF_INT ? Services.prefs.getIntPref(name, 0) + 1 : ''];
    })`,
  );
  const changes = z.array(z.tuple([z.string(), z.union([z.boolean(), z.int(), z.string()])])).parse(known);
  return changes.filter(([name]) => isAllowed(name) && !asksElsewhere.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Those among these with which a page does not load, alone or only with others. Firefox is started once for each that is looked for, and a few times more. */
async function findObstacles(
  changes: readonly [string, boolean | number | string][],
  loads: (prefs: Prefs) => Promise<boolean>,
): Promise<string[]> {
  if (changes.length === 0 || (await loads(Object.fromEntries(changes)))) return [];
  if (changes.length === 1) return [changes[0]![0]];
  const middle = Math.ceil(changes.length / 2);
  const found = [
    ...(await findObstacles(changes.slice(0, middle), loads)),
    ...(await findObstacles(changes.slice(middle), loads)),
  ];
  return found.length > 0 ? found : [changes.map(([name]) => name).join(' with ')];
}

const isAllowed = (name: string) => {
  const { data } = BrowserSettingsSchema.safeParse({ prefs: { [name]: '' } });
  return data !== undefined && findRefusedSettings(data, { engine: 'firefox', settings: undefined }).length === 0;
};

firefoxTest(
  'no preference that this Firefox knows, is allowed, and names something outside of a page is overlooked',
  async () => {
    const texts = await listTexts();
    expect(texts.length).toBeGreaterThan(500);
    const allowed = texts.filter(isAllowed);
    expect(allowed.length).toBeGreaterThan(50);
    expect(allowed.filter((name) => outside.test(name) && !looked.has(name))).toEqual([]);
  },
);

firefoxTest('a name may be led elsewhere by a preference that is allowed', async () => {
  const origin = await startOrigin();
  const { port } = new URL(origin.httpUrl);
  const prefs = { 'network.dns.forceResolve': '127.0.0.1' };
  expect(isAllowed('network.dns.forceResolve')).toBe(true);
  {
    await using session = await openFirefoxSession({ pageLoad: { restMs: 0, quietMs: 100 }, browser: { prefs } });
    await takeSnapshot(session, `http://elsewhere.test:${port}/images/1?visit=led`);
  }
  expect(origin.truth.requests('led').length).toBeGreaterThan(0);
  await origin.close();
});

const atOnce = 150;
const startWithinMs = 40_000;

firefoxTest(
  `each preference that a Scenario may set, ${atOnce} at once in one Firefox, lets a page load`,
  { timeout: 3_600_000 },
  async () => {
    const origin = await startOrigin();
    const loads = async (prefs: Prefs) => {
      try {
        await using session = await openFirefoxSession({
          pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 10_000 },
          browser: { prefs },
          signal: AbortSignal.timeout(startWithinMs),
        });
        const outcome = await visit(session, `${origin.httpUrl}/images/2?visit=set`);
        return outcome.status === 'ok' && outcome.snapshot.settled;
      } catch {
        return false; // it did not start, or answers nothing
      }
    };
    const changes = await listChanges();
    expect(changes.length).toBeGreaterThan(300);
    const found: string[] = [];
    for (let first = 0; first < changes.length; first += atOnce)
      found.push(...(await findObstacles(changes.slice(first, first + atOnce), loads)));
    expect(found).toEqual([]);
    await origin.close();
  },
);
