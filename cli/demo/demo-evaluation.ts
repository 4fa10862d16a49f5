import { stringify } from 'yaml';
import type { z } from 'zod';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { userAddress } from '#testbed/namespaces/addresses.ts';
import { testbedHosts } from '../testbed/join-controller.ts';
import type { Logger } from 'pino';

/** What the demo compares. */
export const demoSubjects = ['http2', 'httpep'] as const;
type DemoSubject = (typeof demoSubjects)[number];

export interface StageOptions {
  subject: DemoSubject;
  /** What the Controller calls the Site whose page is loaded in the place of the origin's pages; null without one. */
  site: string | null;
  controllerUrl: string;
  token: string;
  chromePath: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
  signal: AbortSignal;
}

/** Origin and Agents of the demo, with the Evaluation that fits them. */
export interface Stage extends AsyncDisposable {
  evaluationYaml: string;
  /** Aborts, with an AppError, when a part of it is gone for good. */
  failed: AbortSignal;
}

/** How the names of its Evaluations begin. */
export const demoName = 'Demo: ';

/** The Agent of a demo without the emulated link. */
export const demoHost = 'demo';

/** What its users load. */
const listName = 'images';

export const userNames = ['alice', 'bob'] as const;

/** Which origin the demo measures. */
export interface DemoOrigin {
  http2Url: string;
  trustedKey: string;
}

type EvaluationInput = z.input<typeof EvaluationSchema>;

/**
 * How each user of the demo has an address of its own: as an OS user among others on one host, which takes root of the machine, or by a namespace, where it is the
 * only one.
 */
export type UserSeparation = 'os-users' | 'namespaces';

/** What the demo measures over the emulated link. */
export function evaluationOverLink(
  origin: DemoOrigin & { httpUrl: string },
  { subject, site, separation }: Pick<StageOptions, 'subject' | 'site'> & { separation: UserSeparation },
): string {
  const userAgents = usersBy(separation);
  if (site !== null) return stringify(compareProtocolsOfSite(site, userAgents));
  return stringify(subject === 'http2' ? compareProtocols(origin, userAgents) : compareWithHttpep(origin, userAgents));
}

/**
 * HTTP/2 against HTTP/1.1, both over TLS, for two users who share a GEO satellite link. Pages and Rounds are as many as
 * three minutes allow: a page takes some seconds there. Its images are small, so that round trips decide and not the link's
 * rate. 250 ms is what the way up to the satellite and down again takes.
 */
function compareProtocols(origin: DemoOrigin, userAgents: EvaluationInput['userAgents']): EvaluationInput {
  const network = { link: { preset: 'geo-8m' as const, forward: { delayMs: 250 }, return: { delayMs: 250 } } };
  return {
    name: `${demoName}HTTP/2 vs HTTP/1.1 over a GEO satellite link`,
    description:
      'Two users, each with an address of their own, load pages of 4 and of 20 images of about 1 kB at the same time over an emulated link of 8 Mb/s forward, 512 kb/s return and 500 ms round trip. Measured by ./http-ae demo.',
    urlLists: {
      [listName]: [{ url: `${origin.http2Url}/thumbnails/{4,20}`, label: 'images: {1}', variables: { images: '{1}' } }],
    },
    userAgents,
    scenarios: bothProtocols(origin).map((scenario) => ({ ...scenario, network })),
    ...repeated,
  };
}

/** HTTP/2 against HTTP/1.1 on a recorded page, whose hosts are replayed with distances of their own. */
function compareProtocolsOfSite(site: string, userAgents: EvaluationInput['userAgents']): EvaluationInput {
  const network = { link: 'geo-8m' as const };
  return {
    name: `${demoName}HTTP/2 vs HTTP/1.1 on the recorded page ${site}`,
    description:
      'Two users load a recorded page at the same time over an emulated link of 8 Mb/s and 600 ms round trip. The testbed replays all of its hosts. Measured by ./http-ae demo --site.',
    urlLists: { [listName]: [{ site, page: 1 }] },
    userAgents,
    scenarios: [
      { name: 'HTTP/1.1', baseline: true, network: { ...network, replay: { protocol: 'http/1.1' } } },
      { name: 'HTTP/2', network: { ...network, replay: { protocol: 'h2' } } },
    ],
    ...repeated,
  };
}

/** HTTPEP against nothing between browser and origin, for two users who share a GEO satellite link of 1 Mb/s. */
function compareWithHttpep(
  { httpUrl }: { httpUrl: string },
  userAgents: EvaluationInput['userAgents'],
): EvaluationInput {
  const network = { link: 'geo-1m' as const };
  return {
    name: `${demoName}HTTPEP vs direct over a GEO satellite link`,
    description:
      'Two users load pages of 4 and of 16 images at the same time, directly and through the split proxy HTTPEP. They share an emulated link of 1 Mb/s and 600 ms round trip. Measured by ./http-ae demo.',
    urlLists: {
      [listName]: [{ url: `${httpUrl}/images/{4,16}`, label: 'images: {1}', variables: { images: '{1}' } }],
    },
    userAgents,
    scenarios: [
      { name: 'direct', baseline: true, network },
      { name: 'HTTPEP', network, httpep: {} },
    ],
    ...repeated,
  };
}

/** So that there is something to see: no figure includes the warm-up. */
const filmed = { filmstrip: 'warm-up' } as const;

const repeated = {
  pageLoad: { restMs: 100, quietMs: 250 },
  // Without root the link has no priority over other programs: on a busy machine its check stops a Round now and then, before anything was loaded.
  repetition: { rounds: 5, warmUp: true, attempts: 10 },
  artefacts: filmed,
} satisfies Partial<EvaluationInput>;

function usersBy(separation: UserSeparation): EvaluationInput['userAgents'] {
  return userNames.map((name, index) => ({
    name,
    urlList: listName,
    ...(separation === 'os-users'
      ? { host: testbedHosts.remote, osUser: 20_001 + index }
      : { host: `user${index + 1}` }),
    sourceAddress: userAddress(index + 1),
    interface: 'link0',
  }));
}

/** The same on loopback, for machines that allow no emulated link: there the origin delays each object by 50 ms. */
export function evaluationWithoutLink(origin: DemoOrigin): string {
  return stringify({
    name: `${demoName}HTTP/2 vs HTTP/1.1`,
    description:
      'Two users load pages of 1 to 30 small images at the same time, over HTTP/1.1 and over HTTP/2. The origin delays each object by 50 ms. Measured by ./http-ae demo.',
    urlLists: {
      [listName]: [
        {
          url: `${origin.http2Url}/images/{1,5,10,20,30}?delayMs=50`,
          label: 'images: {1}',
          variables: { images: '{1}' },
        },
      ],
    },
    userAgents: userNames.map((name) => ({ name, host: demoHost, urlList: listName })),
    scenarios: bothProtocols(origin),
    repetition: { rounds: 5, warmUp: true },
    artefacts: filmed,
  } satisfies EvaluationInput);
}

function bothProtocols({ trustedKey }: DemoOrigin) {
  const trustedKeys = [trustedKey];
  return [
    { name: 'HTTP/1.1', baseline: true, browser: { flags: ['--disable-http2'], trustedKeys } },
    { name: 'HTTP/2', browser: { trustedKeys } },
  ];
}
