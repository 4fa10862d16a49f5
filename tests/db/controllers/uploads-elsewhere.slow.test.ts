import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { PictureArchive } from '#controller/captures/artefacts/picture-archive.ts';
import { TraceArchive } from '#controller/captures/artefacts/trace-archive.ts';
import { CaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import { makeCaptured } from '../../support/captured-trace.ts';
import { sendWith, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';

const maximumTraceBytes = 5000;
let stack: AsyncDisposableStack;
let database: TestDatabase;
let one: TestController;
let other: TestController;
let passIds: string[];
let upload: (to: TestController, kind: 'artefacts' | 'pictures', contents: Buffer) => Promise<number>;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  database = stack.use(await createTestDatabase());
  one = stack.use(await startTestController({ sharedDatabase: database, maximumTraceBytes }));
  other = stack.use(await startTestController({ sharedDatabase: database, maximumTraceBytes }));
  const { visits } = await storeCompletedRun(database.pool);
  passIds = [...new Set(visits.map(({ passId }) => passId))];
  const { token } = await issueToken(database.pool, { name: 'agent', scope: 'agent' });
  const headers = { authorization: `Bearer ${token}` };
  upload = async (to, kind, contents) =>
    (
      await sendWith(to.anonymous, headers)(`/api/${kind}/${hashOf(contents)}`, {
        method: 'PUT',
        body: new Uint8Array(contents),
      })
    ).status;
});
afterEach(() => stack.disposeAsync());

const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex');
const keptOf = (contents: Buffer) =>
  makeCaptured({ trace: { kind: 'kept', sha256: hashOf(contents), bytes: contents.length } });
const filesOf = async ({ artefactsFolder }: TestController) =>
  (await readdir(artefactsFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'store-id')
    .map(({ parentPath, name }) => path.basename(parentPath) + name);

test('a Capture is stored by one Controller although its trace went to another, which gives it and counts it', async () => {
  const contents = [randomBytes(3000), randomBytes(3000)];
  await using agent = await joinAgent(other.controller, { name: 'laptop' });
  for (const [index, each] of contents.entries()) {
    expect(await upload(one, 'artefacts', each)).toBe(204);
    agent.say({ type: 'capture', capture: { captureId: passIds[index]!, outcome: keptOf(each) } });
    await expect.poll(() => agent.heard).toContainEqual({ type: 'capture-stored', captureId: passIds[index] });
  }
  const readFrom = ({ program }: TestController, index: number) => program(`/api/passes/${passIds[index]!}/trace`);
  expect(Buffer.from(await (await readFrom(one, 1)).arrayBuffer())).toEqual(contents[1]);
  const refused = await readFrom(other, 1);
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { message: expect.stringContaining('another Controller has it') as string },
  ]);

  // Each makes room in its own folder, for the traces there.
  const sweep = ({ artefactsFolder }: TestController) =>
    new TraceArchive(openFolder(artefactsFolder), { pool: database.pool, maximumBytes: maximumTraceBytes }).makeRoom();
  await sweep(other);
  expect((await filesOf(one)).sort()).toEqual(contents.map(hashOf).sort());
  await sweep(one);
  expect(await filesOf(one)).toEqual([hashOf(contents[1]!)]);
  const detail = CaptureDetailSchema.parse(await (await other.program(`/api/passes/${passIds[0]!}/capture`)).json());
  expect(detail.outcome).toMatchObject({
    kind: 'captured',
    trace: { kind: 'absent', reason: expect.stringContaining('retention limit removed it') as string },
  });
});

test('a Controller removes the unclaimed traces of its own folder alone', async () => {
  const [here, there] = [randomBytes(100), randomBytes(100)];
  await upload(one, 'artefacts', here);
  await upload(other, 'artefacts', there);
  await database.pool.query(`update unclaimed_trace set noted_at = now() - interval '2 days'`);
  const nowEpochMs = Date.now() + 2 * 24 * 3_600_000;
  await new TraceArchive(openFolder(one.artefactsFolder), { pool: database.pool, maximumBytes: 5000 }).sweep({
    nowEpochMs,
    minimumAgeMs: 24 * 3_600_000,
  });
  expect([await filesOf(one), await filesOf(other)]).toEqual([[], [hashOf(there)]]);
  await new TraceArchive(openFolder(other.artefactsFolder), { pool: database.pool, maximumBytes: 5000 }).sweep({
    nowEpochMs,
    minimumAgeMs: 24 * 3_600_000,
  });
  expect(await filesOf(other)).toEqual([]);
});

test('a Controller makes room for pictures in its own folder alone', async () => {
  const pictures = [1, 2, 3].map(() => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(2000)]));
  expect(await upload(other, 'pictures', pictures[0]!)).toBe(204);
  const archive = new PictureArchive(openFolder(one.artefactsFolder), { pool: database.pool, maximumBytes: 3000 });
  const receive = (contents: Buffer) =>
    archive.receive(
      hashOf(contents),
      (async function* () {
        yield await Promise.resolve(contents);
      })(),
    );
  await receive(pictures[1]!);
  await receive(pictures[2]!);
  const pathOf = (contents: Buffer) => hashOf(contents).slice(0, 2) + hashOf(contents).slice(2);
  expect(await filesOf(one)).toEqual([pathOf(pictures[2]!)]);
  expect(await filesOf(other)).toEqual([pathOf(pictures[0]!)]);
});
