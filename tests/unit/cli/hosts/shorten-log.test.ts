import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';

const script = path.resolve(import.meta.dirname, '../../../../cli/hosts/remote/shorten-log.sh');

test('the log of a service stays short while its Agent writes, and its end is kept', async () => {
  await using folder = await makeTemporaryFolder();
  const log = path.join(folder.path, 'agent.log');
  const line = (number: number) => `${String(number).padStart(7, '0')} A line of an Agent\n`;
  const block = (number: number) => Array.from({ length: 100 }, (_, index) => line(100 * number + index)).join('');
  await appendFile(log, block(0));
  const shortening = spawn('sh', [script, log, '10000', '0.05']);
  try {
    let written = 1;
    const sizeOf = async () => (await stat(log)).size;
    await expect
      .poll(async () => {
        await appendFile(log, block(written++));
        return readFile(`${log}.1`, 'utf8').catch(() => '');
      })
      .toMatch(/^.*\n(\d{7} A line of an Agent\n){50,}$/);
    await expect.poll(sizeOf).toBeLessThan(10_000);
    await appendFile(log, line(9_999_999));
    expect(await readFile(log, 'utf8')).toContain(line(9_999_999));
  } finally {
    shortening.kill();
    await once(shortening, 'close');
  }
});
