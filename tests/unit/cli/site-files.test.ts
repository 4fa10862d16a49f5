import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exportHar } from '#cli/site/convert-har.ts';
import { writeSite } from '#site/write-site.ts';
import { makeRecordedExchange, makeRecordedSite, recordedEpochMs } from '#tests/support/make-recorded-site.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('"site show" prints pages, hosts, bytes and secrets; export and import lead to the same, and overwrite nothing; one that is stopped leaves nothing', async () => {
  await using folder = await makeTemporaryFolder();
  const at = (name: string) => path.join(folder.path, name);
  const exchange = makeRecordedExchange({ requestHeaders: [['cookie', 'a=SECRET']] });
  await writeSite(at('shop.wacz'), makeRecordedSite({ exchanges: [exchange] }), { nowEpochMs: recordedEpochMs });

  const shown = await runCli(['site', 'show', at('shop.wacz')]);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout.split('\n')).toEqual([
    'Shop',
    'Recorded 2025-11-24T16:00:00.000Z by HTTP-AE 1.0.0',
    '',
    'Page                  Visits  Objects  Bytes    Base  Viewport   Total',
    '1 https://shop.test/       1        1   0 kB  100 ms    200 ms  300 ms',
    '',
    'Host       Requests  Bytes  Protocols  Round trip  Think time',
    'shop.test         1   0 kB         h2       20 ms      5.0 ms',
    '',
    'Type      Requests  Bytes',
    'document         1   0 kB',
    '',
    'Headers left out as secrets: cookie (1)',
    '',
  ]);
  await exportHar(at('shop.wacz'), { to: at('shop.har') });
  const imported = await runCli(['site', 'import', at('shop.har'), '--to', at('again.wacz'), '--json']);
  expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(imported.stdout)).toMatchObject({
    title: 'Shop',
    hosts: [{ name: 'shop.test', bytes: 8, thinkMs: 5 }],
  });

  const interrupted = exportHar(at('shop.wacz'), { to: at('other.har') });
  process.emit('SIGHUP', 'SIGHUP');
  await expect(interrupted).rejects.toThrow('Stopped by SIGHUP');

  const before = await readFile(at('shop.har'), 'utf8');
  await expect(exportHar(at('again.wacz'), { to: at('shop.har') })).rejects.toMatchObject({
    code: 'invalid-input',
    message: `${at('shop.har')} exists: name a new file`,
  });
  expect(await readFile(at('shop.har'), 'utf8')).toBe(before);
  expect((await readdir(folder.path)).sort()).toEqual(['again.wacz', 'shop.har', 'shop.wacz']);
});
