import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '../support/captured-trace.ts';
import { sendWith, startTestController } from '../support/controller.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

test('a Capture Point is read and its trace is downloaded by the Run, the Round and the name of the point', async () => {
  const { pool } = it.controller;
  const evaluation = EvaluationSchema.parse({
    ...makeEvaluation(),
    capturePoints: [{ name: 'ground', host: 'gateway', interface: 'eth0', filter: 'tcp' }],
  });
  const { runId } = await storeCompletedRun(pool, { evaluation });
  const { rows } = await pool.query<{ id: string; block: number; scenario: string }>(
    'select capture_point.id, block, scenario from capture_point join round on round.id = round_id where run_id = $1 order by index',
    [runId],
  );
  const [point, silent] = rows as [(typeof rows)[number], (typeof rows)[number]];
  const contents = randomBytes(2000);
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const { token } = await issueToken(pool, { name: 'agent', scope: 'agent' });
  const agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
  const put = { method: 'PUT', body: new Uint8Array(contents) };
  expect((await agent(`/api/artefacts/${sha256}`, put)).status).toBe(204);
  const outcome = makeCaptured({ trace: { kind: 'kept', sha256, bytes: contents.length } });
  await storeCapture(pool, { captureId: point.id, outcome }, await openFolder(it.artefactsFolder).readId());

  const read = async (path: string) => it.program(`/api/captures/${path}`);
  const { visits: _visits, ...summary } = outcome;
  expect(await (await read(point.id)).json()).toMatchObject({
    captureId: point.id,
    runId,
    block: point.block,
    scenario: point.scenario,
    capturePoint: 'ground',
    host: 'gateway',
    interface: 'eth0',
    outcome: summary,
  });
  const trace = await read(`${point.id}/trace`);
  expect(trace.headers.get('content-disposition')).toBe(
    `attachment; filename=run-${runId}-block-${point.block}-${point.scenario}-ground.pcap.gz`,
  );
  expect(Buffer.from(await trace.arrayBuffer())).toEqual(contents);

  expect(await (await read(silent.id)).json()).toMatchObject({
    outcome: { kind: 'absent', reason: 'Its Agent has not uploaded it yet' },
  });
  expect((await read(`${silent.id}/trace`)).status).toBe(404);
  expect((await read(`${runId.padStart(8, '0')}-0000-4000-8000-000000000000`)).status).toBe(404);
});
