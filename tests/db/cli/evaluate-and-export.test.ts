import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueToken } from '#controller/people/tokens.ts';
import { postYaml, startTestController, type TestController } from '#tests/support/controller.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

async function accessTo({ controller }: TestController) {
  const { token } = await issueToken(controller.pool, { name: 'command line', scope: 'api' });
  return { HTTP_AE_CONTROLLER: controller.url, HTTP_AE_TOKEN: token };
}

const countRows = async ({ database }: TestController, table: 'evaluation' | 'run') => {
  const { rows } = await database.pool.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]!.count);
};

test('every fault of a YAML file is reported with file, line and path, and nothing is stored', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'faulty.yaml');
  const faulty = evaluationYaml
    .replace('    baseline: true\n', '')
    .replace('  rounds: 2', '  round: 2\npageLoad:\n  timeoutMs: 30s');
  await writeFile(file, faulty);
  const { exitCode, stdout, stderr } = await runCli(['evaluate', file, '--json'], await accessTo(test));

  const lineOf = (text: string) => faulty.split('\n').findIndex((line) => line.includes(text)) + 1;
  expect(stderr).toContain(
    `${file}:${lineOf('timeoutMs')}: pageLoad.timeoutMs: must be a number of milliseconds without a unit, not "30s" (write 30000)`,
  );
  expect(stderr).toContain(`${file}:${lineOf('round: 2')}: repetition`);
  expect(stderr).toMatch(/\nNothing was stored\.\n$/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(await countRows(test, 'evaluation')).toBe(0);
});

test('an Evaluation is stored and its Run ordered; --json is one document', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'proxy.yaml');
  await writeFile(file, evaluationYaml);
  const args = ['evaluate', file, '--json', '--label', 'build=1234', '--label', 'branch=main'];
  const { exitCode, stdout, stderr } = await runCli(args, await accessTo(test));
  const { run, reportUrl } = z.strictObject({ run: z.int(), reportUrl: z.string() }).parse(JSON.parse(stdout));
  expect(reportUrl).toBe(`${test.controller.url}/runs/${run}/comparison`);
  expect(stderr).toBe(`Stored as Evaluation 1\nRun ${run} of "Proxy or not" is queued\n`);
  expect(exitCode).toBe(0);
  const { rows } = await test.database.pool.query<{ labels: unknown }>('select labels from run');
  expect(rows).toEqual([{ labels: { build: '1234', branch: 'main' } }]);
});

test('the same file is another Run of the same Evaluation, a changed one its next version, and --new another one', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const access = await accessTo(test);
  const file = path.join(folder.path, 'proxy.yaml');
  const evaluate = async (yaml: string, ...options: string[]) => {
    await writeFile(file, yaml);
    const { exitCode, stderr } = await runCli(['evaluate', file, ...options], access);
    return [exitCode, stderr.split('\n')[0]];
  };
  // By another program, whose document is not replaced unless it is named.
  await test.program('/api/evaluations', postYaml(evaluationYaml));
  const changed = evaluationYaml.replace('rounds: 2', 'rounds: 3');
  expect(await evaluate(evaluationYaml)).toEqual([0, 'Evaluation 1 is the same as the file and gets another Run']);
  expect(await evaluate(changed)).toEqual([1, expect.stringContaining('To replace it, use --evaluation 1.')]);
  expect(await evaluate(changed, '--evaluation', '1')).toEqual([
    0,
    'Evaluation 1 has changed: the file is version 2 of it',
  ]);
  expect(await evaluate(changed, '--new')).toEqual([0, 'Stored as Evaluation 2']);
  const { rows } = await test.database.pool.query('select evaluation_id as of from run order by id');
  expect(rows.map((row) => (row as { of: string }).of)).toEqual(['1', '1', '2']);
});

test('a Run that is stopped while it is waited for is a failure', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'proxy.yaml');
  await writeFile(file, evaluationYaml);
  const junit = path.join(folder.path, 'out.xml');
  const asked = ['--assert', 'totalMs: reduction > -5%', '--junit', junit];
  const waiting = runCli(['evaluate', file, '--wait', '--json', ...asked], await accessTo(test));
  await expect.poll(() => countRows(test, 'run'), { timeout: 20_000 }).toBe(1);
  await test.program('/api/runs/1/stop', { method: 'POST' });
  const { exitCode, stdout, stderr } = await waiting;
  expect(stderr).toMatch(/Run 1 stopped: .+\n$/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(await readFile(junit, 'utf8')).toContain('<error message="Run 1 stopped: ');
});

test('the Visits of a Run are exported to standard output or a file, the agreed columns first', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const access = await accessTo(test);
  const { runId, visits } = await storeCompletedRun(test.database.pool);

  const csv = await runCli(['export', runId, '--format', 'csv'], access);
  const [head, ...rows] = csv.stdout.trim().split('\r\n');
  expect(head).toMatch(
    /^run,block,scenario,user_agent,url,repetition,status,code,request_start_ms,base_ms,viewport_ms,total_ms,load_event_ms,/,
  );
  expect(rows).toHaveLength(visits.length);
  expect({ exitCode: csv.exitCode, stderr: csv.stderr }).toEqual({ exitCode: 0, stderr: '' });

  const output = path.join(folder.path, 'visits.json');
  const json = await runCli(['export', runId, '--format', 'json', '--output', output], access);
  expect({ exitCode: json.exitCode, stdout: json.stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(JSON.parse(await readFile(output, 'utf8'))).toHaveLength(visits.length);

  const tables = path.join(folder.path, 'tables');
  const parquet = await runCli(['export', runId, '--format', 'parquet', '--output', tables], access);
  expect(parquet.stderr).toMatch(new RegExp(`^${visits.length} Visits are in `));
  // Without "finish", a file has another name, and no end.
  const files = (await readdir(tables)).toSorted();
  expect(files).toEqual(['captures.parquet', 'readings.parquet', 'visits.parquet']);
  for (const file of files) {
    const bytes = await readFile(path.join(tables, file));
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
    // From when they count stands beside the values.
    expect(bytes.includes('latencies_from')).toBe(file !== 'captures.parquet');
  }
});

test('a Run that is not there and a token that was revoked are reported', async () => {
  await using test = await startTestController();
  const access = await accessTo(test);
  const missing = await runCli(['export', '99', '--format', 'csv'], access);
  expect(missing).toMatchObject({ exitCode: 1, stdout: '', stderr: 'There is no Run 99\n' });
  const refused = await runCli(['export', '99', '--format', 'csv'], { ...access, HTTP_AE_TOKEN: 'hae_wrong' });
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(/token/i);
});
