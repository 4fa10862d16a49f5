import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ControllerClient } from '#cli/controller/controller-client.ts';
import { exportRun, type ExportOptions } from '#cli/export/export-run.ts';
import { writeWhole } from '#cli/new-file.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

let stack: AsyncDisposableStack;
let folder: string;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = stack.use(await makeTemporaryFolder()).path;
});
afterEach(() => stack.disposeAsync());

/** A Controller that answers every request so. */
async function serve(answer: RequestListener): Promise<Pick<ExportOptions, 'controller' | 'token'>> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { controller: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'hae_x' };
}

/** One that goes away after these bytes. */
const breakingOff = (bytes: string) =>
  serve((_, response) => void response.writeHead(200).write(bytes, () => response.destroy()));

test('an export whose Controller goes away leaves the file as it was, and no other', async () => {
  const output = path.join(folder, 'visits.csv');
  await writeFile(output, 'earlier');
  const exported = exportRun('7', { format: 'csv', output, ...(await breakingOff('run,block\r\n7,1\r\n')) });
  await expect(exported).rejects.toThrow(`Run 7 was not written completely to ${output}: `);
  expect(await readFile(output, 'utf8')).toBe('earlier');
  expect(await readdir(folder)).toEqual(['visits.csv']);
});

test('a list that breaks off is no answer of another version', async () => {
  const client = new ControllerClient(
    { url: (await breakingOff('[')).controller!, token: 'hae_x' },
    new AbortController().signal,
  );
  await expect(client.listRuns()).rejects.toMatchObject({
    code: 'controller-unreachable',
    message: expect.stringContaining('broke off its answer') as string,
  });
});

test('Visits without a HAR are counted by the reason', async () => {
  const visits = ['ok', 'ok', 'failed'].map((status, index) => ({
    ...{ visit_id: `visit-${index}`, block: 1, scenario: 's', user_agent: 'u', status },
  }));
  const lines = [...visits, { visits: 3 }].map((line) => `${JSON.stringify(line)}\n`).join('');
  const controller = await serve(({ url = '' }, response) => {
    if (url.includes('/runs/')) response.end(lines);
    else if (url.includes('visit-0')) response.end('{}');
    else response.writeHead(404).end(JSON.stringify({ code: 'not-found', message: 'gone', issues: [] }));
  });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await exportRun('7', { format: 'har', output: folder, ...controller });
  expect(write.mock.lastCall![0]).toBe(
    `1 HARs are in ${folder}; 1 Visits failed without a Snapshot, and have none; the retention setting deleted the Snapshots of 1 Visits, which have none\n`,
  );
  write.mockRestore();
});

test('HARs of Visits that did not all come are not exported', async () => {
  const line = JSON.stringify({ visit_id: 'a', block: 1, scenario: 's', user_agent: 'u', status: 'ok' });
  const exported = exportRun('7', { format: 'har', output: folder, ...(await breakingOff(`${line}\n`)) });
  await expect(exported).rejects.toThrow('Run 7 was not received completely: export it again');
});

test('a file that cannot be written is named without a stack', async () => {
  const output = path.join(folder, 'missing', 'visits.csv');
  const controller = await serve((_, response) => void response.end('run,block\r\n'));
  await expect(exportRun('7', { format: 'csv', output, ...controller })).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining(`Run 7 was not written completely to ${output}: ENOENT`) as string,
  });
});

test('what is no regular file is written as it comes', async () => {
  await writeWhole('/dev/null', ['a']);
  expect(await readdir('/dev')).not.toContain('null.part');
});
