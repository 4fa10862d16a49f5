import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planReplay } from '#controller/sites/resolve-sites.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { ListedSiteSchema, type ListedSite } from '#core/protocol/api/stored-site.ts';
import {
  StoredEvaluationSchema,
  KeptEvaluationSchema,
  type StoredEvaluation,
} from '#core/protocol/api/stored-evaluation.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { makeRecordedExchange, makeRecordedSite, recordedEpochMs } from '../../support/make-recorded-site.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

let it: TestController;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeAll(async () => {
  it = await startTestController();
  folder = await makeTemporaryFolder();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function upload(name: string, change: Partial<RecordedSite> = {}): Promise<ListedSite> {
  const file = path.join(folder.path, 'site.wacz');
  await writeSite(file, makeRecordedSite(change), { nowEpochMs: recordedEpochMs });
  const body = new Uint8Array(await readFile(file));
  const answered = await it.program(`/api/sites?name=${encodeURIComponent(name)}`, { method: 'POST', body });
  return ListedSiteSchema.parse(await answered.json());
}

/** A recording of one page at a host of its own. */
const siteOf = (host: string, at: string): Partial<RecordedSite> => {
  const { hosts, pages } = makeRecordedSite();
  const url = `https://${host}${at}`;
  return {
    hosts: [{ ...hosts[0]!, name: host, certificateNames: [host] }],
    pages: [{ ...pages[0]!, url }],
    exchanges: [makeRecordedExchange({ url })],
  };
};

const documentWith = (...entries: object[]) => {
  const { scenarios, ...rest } = makeEvaluation();
  return {
    ...rest,
    urlLists: { pages: entries },
    scenarios: scenarios.map((scenario) => ({ ...scenario, network: { link: 'none' } })),
  };
};
const store = (...entries: object[]) => it.program('/api/evaluations', postJson(documentWith(...entries)));
const stored = async (...entries: object[]): Promise<StoredEvaluation> =>
  StoredEvaluationSchema.parse(await (await store(...entries)).json());
const refusalOf = async (response: Response) => {
  const { code, message } = ProblemSchema.parse(await response.json());
  return `${code}: ${message}`;
};

test('an Evaluation is stored with the address, the file and the date of each page of a Site, as they are then', async () => {
  const { sha256 } = await upload('stored', siteOf('stored.test', '/?a={b,c}'));
  const { id, version, document } = await stored({ site: 'stored' });
  const page = { url: 'https://stored.test/?a=%7Bb,c%7D', recording: { sha256, recordedEpochMs } };
  expect(document.urlLists.pages).toEqual([{ site: 'stored', ...page }]);

  await it.program('/api/sites/stored', { method: 'DELETE' });
  const { sha256: other } = await upload('stored', siteOf('stored.test', '/other'));
  const started = await it.program(`/api/evaluations/${id}/runs`, postJson({}));
  expect(started.status).toBe(409);
  expect(await refusalOf(started)).toContain('The Site "stored" has another recording');

  const saved = await it.program(`/api/evaluations/${id}?version=${version}`, {
    ...postJson(document),
    method: 'PUT',
  });
  expect(StoredEvaluationSchema.parse(await saved.json()).document.urlLists.pages).toEqual([
    { site: 'stored', url: 'https://stored.test/other', recording: { sha256: other, recordedEpochMs } },
  ]);
  expect((await it.program(`/api/evaluations/${id}/runs`, postJson({}))).status).toBe(201);
});

test('a file that names a Site is the same Evaluation as long as the Site is the same', async () => {
  await upload('kept', siteOf('kept.test', '/'));
  const document = { ...documentWith({ site: 'kept', page: 1 }), name: 'Kept' };
  const keep = async () =>
    KeptEvaluationSchema.parse(await (await it.program('/api/evaluations/versions', postJson(document))).json()).kind;
  expect([await keep(), await keep()]).toEqual(['new', 'same']);
});

test('a file that names a Site is estimated by the Run of it, as the same Evaluation', async () => {
  await upload('estimated', siteOf('estimated.test', '/'));
  const document = { ...documentWith({ site: 'estimated' }), name: 'Estimated' };
  const { document: kept } = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(document))).json(),
  );
  const { runId } = await storeCompletedRun(it.controller.pool, { evaluation: expandDocument(kept) });
  const estimate = async (sent: object) =>
    (await it.program('/api/evaluations/estimate', postJson(sent))).json() as Promise<unknown>;
  expect(await estimate(document)).toMatchObject({ basis: { runId, isSameConfiguration: true } });
  expect(await estimate({ ...document, urlLists: { pages: { site: 'not uploaded' } } })).toMatchObject({
    basis: { runId, isSameConfiguration: false },
  });
});

test('what cannot be replayed is refused before anything is stored', async () => {
  expect(await refusalOf(await store({ site: 'nowhere' }))).toBe(
    'invalid-input: urlLists: there is no Site "nowhere". Upload its recording under Sites first',
  );
  const { id } = await upload('by id', siteOf('by-id.test', '/'));
  expect(await refusalOf(await store({ site: id }))).toContain(`there is no Site "${id}"`);
  await upload('one', siteOf('shared.test', '/one'));
  await upload('two', siteOf('shared.test', '/two'));
  expect(await refusalOf(await store({ site: 'one' }, { site: 'two' }))).toContain('both have the host shared.test');
  expect(await refusalOf(await store({ site: 'one', page: 2 }))).toContain('has no page 2: it has 1');
  const far = siteOf('far.test', '/');
  await upload('far', { ...far, hosts: far.hosts!.map((host) => ({ ...host, connectMs: 1300 })) });
  const { scenarios, ...rest } = documentWith({ site: 'far' });
  const farther = scenarios.map((scenario) => ({ ...scenario, network: { link: 'none', replay: { distance: 100 } } }));
  expect(await refusalOf(await it.program('/api/evaluations', postJson({ ...rest, scenarios: farther })))).toContain(
    'The host far.test of the Site "far" would be 65000 ms away',
  );
});

test('the testbed is given the hosts of the Sites, and which files they replay', async () => {
  const { sha256 } = await upload('planned', siteOf('planned.test', '/'));
  const { document } = await stored({ site: 'planned' });
  await using siteReader = new SiteReader();
  const source = { db: it.controller.pool, siteReader };
  const replay = { thinkTime: 'none', distance: 2, protocol: 'http/1.1' } as const;
  expect(await planReplay({ urlLists: document.urlLists, replay }, source)).toEqual({
    hosts: [{ name: 'planned.test', delayMs: 20, protocols: ['http/1.1'] }],
    replay: { sites: [{ name: 'planned', sha256, pages: [1] }], thinkTimeFactor: 0 },
  });
  expect(await planReplay({ urlLists: { pages: [{ url: 'http://a.test/' }] } }, source)).toBeNull();
});
