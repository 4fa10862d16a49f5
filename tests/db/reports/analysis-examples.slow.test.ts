import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTestPython } from '#cli/test/run-tests.ts';
import { exportParquet } from '#cli/export/export-parquet.ts';
import { ControllerClient } from '#cli/controller/controller-client.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { visitColumns } from '#controller/visits/visit-columns.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { ScenarioCauses } from '#core/comparison/causes/causes-comparison.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { makeCaptured } from '../../support/captured-trace.ts';
import { startTestController, type TestController } from '../../support/controller.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const captured = makeCaptured();
const folderOfExamples = path.resolve(import.meta.dirname, '../../../examples/analysis');

const environment = { ...process.env, PYTHONPATH: findTestPython(process.env) };

function isThere(program: string, args = ['--version']): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: environment });
    return true;
  } catch {
    return false; // that is the answer
  }
}

describe('the examples of an analysis of one’s own', () => {
  let controller: TestController;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  let runId: string;
  let reduction: { ratio: number; low: number; high: number };
  let causes: ScenarioCauses[];

  beforeAll(async () => {
    controller = await startTestController();
    folder = await makeTemporaryFolder();
    const stored = await storeCompletedRun(controller.controller.pool, {
      evaluation: makeEvaluation({ repetition: { order: 'random-blocks', rounds: 12, warmUp: true, attempts: 1 } }),
      totalMsOf: ({ block, scenario, userAgent, url }) =>
        block === 4 && userAgent === 'bob' && url.endsWith('2')
          ? null
          : (scenario === 'proxy' ? 800 : 1000) + 90 * Math.sin(block * (scenario.length + url.length)),
    });
    runId = stored.runId;
    await controller.program(`/api/runs/${runId}/exclusions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ visitIds: [stored.visits.at(-1)!.id], reason: 'The door was open, "wide"' }),
    });
    const { pool } = controller.controller;
    const [ofAlice, ofBob] = [...new Set(stored.visits.map(({ passId }) => passId))];
    await storeCapture(pool, { captureId: ofAlice!, outcome: captured });
    await storeCapture(pool, { captureId: ofBob!, outcome: { kind: 'absent', reason: 'tcpdump was gone' } });
    file = path.join(folder.path, 'visits.csv');
    await writeFile(file, await (await controller.program(`/api/runs/${runId}/visits?format=csv`)).text());
    const comparison = ComparisonSchema.parse(await (await controller.program(`/api/runs/${runId}/comparison`)).json());
    const found = comparison.metrics
      .find(({ metric }) => metric === 'totalMs')!
      .scenarios.find(({ scenario }) => scenario === 'proxy')!.reduction!;
    reduction = { ratio: found.ratio, low: found.low!, high: found.high! };
    if (comparison.causes.kind === 'absent') throw new Error(comparison.causes.reason);
    causes = comparison.causes.scenarios;
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  async function analyse(program: string, script: string) {
    const { stdout } = await promisify(execFile)(program, [path.join(folderOfExamples, script), file, 'direct']);
    const [, ratio, low, high] =
      /^proxy: reduction (-?[\d.]+) \(95 % interval (-?[\d.]+) to (-?[\d.]+)\), 12 Blocks, \d\.\d % of Visits failed$/m
        .exec(stdout)!
        .map(Number);
    return { ratio: ratio!, low: low!, high: high! };
  }

  it.skipIf(!isThere('Rscript'))('R comes to the reduction and the interval of the report', async () => {
    const found = await analyse('Rscript', 'compare.R');
    for (const figure of ['ratio', 'low', 'high'] as const)
      expect(Math.abs(found[figure] - reduction[figure])).toBeLessThan(0.0001);
  });

  it.skipIf(!isThere('Rscript'))(
    'R comes to the causes of the report, with their intervals and their sum',
    async () => {
      const { stdout } = await promisify(execFile)('Rscript', [
        path.join(folderOfExamples, 'causes.R'),
        file,
        'direct',
      ]);
      const { parts, total } = causes.find(({ scenario }) => scenario === 'proxy')!.difference!;
      const lines = parts
        .filter(({ value }) => value !== 0)
        .map(({ cause, value, low, high }) => {
          const column = `total_cause_${cause.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_ms`;
          return `proxy: ${column} ${value.toFixed(3)} ms (${low!.toFixed(3)} to ${high!.toFixed(3)})`;
        });
      expect(stdout.trim().split('\n')).toEqual([...lines, `proxy: sum ${total.value.toFixed(3)} ms`]);
    },
  );

  it.skipIf(!isThere('python3'))('Python comes to the means of the report’s bars', async () => {
    const { stdout } = await promisify(execFile)('python3', [path.join(folderOfExamples, 'causes.py'), file]);
    for (const { scenario, parts } of causes)
      expect(stdout).toContain(`${scenario}: ${parts!.reduce((sum, ms) => sum + ms, 0).toFixed(1)} ms = `);
  });

  it.skipIf(!isThere('python3'))(
    'Python comes to the reduction of the report, in an interval that holds it',
    async () => {
      const found = await analyse('python3', 'compare.py');
      expect(Math.abs(found.ratio - reduction.ratio)).toBeLessThan(0.0001);
      expect(found.low).toBeLessThan(found.ratio);
      expect(found.high).toBeGreaterThan(found.ratio);
      expect(found.high - found.low).toBeLessThan(reduction.high - reduction.low);
    },
  );

  it.skipIf(!isThere('python3', ['-c', 'import duckdb']))(
    'DuckDB reads the same from Parquet as from CSV, with types and units, and comes to the reduction of the report',
    async () => {
      const { token } = await issueToken(controller.controller.pool, { name: 'export', scope: 'api' });
      const client = new ControllerClient({ url: controller.controller.url, token }, AbortSignal.timeout(60_000));
      await exportParquet(runId, { client, output: folder.path, groupSize: 40 });
      const args = [
        path.join(import.meta.dirname, '../support/read-by-duckdb.py'),
        folder.path,
        file,
        path.join(folderOfExamples, 'compare.sql'),
      ];
      const { stdout } = await promisify(execFile)('python3', args, { env: environment });
      const found = JSON.parse(stdout) as Record<string, unknown>;

      const kinds = {
        integer: 'BIGINT',
        number: 'DOUBLE',
        text: 'VARCHAR',
        boolean: 'BOOLEAN',
        time: 'TIMESTAMP WITH TIME ZONE',
      };
      expect(found.types).toEqual(Object.fromEntries(visitColumns.map(({ name, type }) => [name, kinds[type]])));
      const rows = (await readFile(file, 'utf8')).trimEnd().split('\r\n').length - 1;
      expect(found.counts).toEqual([
        [rows, rows],
        [rows, rows],
      ]);
      // The apostrophe that guards a spreadsheet is in the CSV alone; no text here begins like a formula.
      expect(found).toMatchObject({
        different: [],
        codecs: [['ZSTD']],
        groups: [[Math.ceil(rows / 40)]],
        unequal: [[0]],
      });
      expect(found.metadata).toMatchObject({
        'http_ae.run': { run: Number(runId), evaluation: 'Proxy or not', state: 'completed' },
        'http_ae.method': { order: 'random-blocks' },
        'http_ae.columns': {
          total_ms: { unit: 'ms', definition: catalogue.totalMs.definition },
          wire_bytes: { unit: 'bytes' },
          url: { unit: null },
        },
      });
      const [[values, absences, readings]] = found.readings as [[number, number, number]];
      expect(values + absences).toBe(readings);
      expect(absences).toBeGreaterThan(0);
      const { statistics } = captured;
      const { sent, received } = statistics.directions!;
      expect(found.captures).toEqual([
        [
          'alice',
          null,
          null,
          statistics.packets,
          statistics.dataBytes,
          sent.bytes + received.bytes,
          1,
          statistics.tcp!.handshakeRtt!.meanMs,
        ],
        ['bob', null, 'tcpdump was gone', null, null, null, null, null],
      ]);

      const [[scenario, ratio, error, blocks]] = found.compared as [[string, number, number, number]];
      expect({ scenario, blocks }).toEqual({ scenario: 'proxy', blocks: 12 });
      expect(Math.abs(ratio - reduction.ratio)).toBeLessThan(1e-9);
      expect(error).toBeGreaterThan(0);
    },
  );
});
