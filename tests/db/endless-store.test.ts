import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openArchives } from '#controller/captures/artefacts/open-archives.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

test('a store whose lists never end does not hold up the end of its Controller', async () => {
  await using database = await createTestDatabase();
  await using folder = await makeTemporaryFolder();
  const id = randomUUID();
  let pages = 0;
  const store = createServer((request, response) => {
    request.resume();
    const { searchParams } = new URL(request.url!, 'http://store.test');
    const page = `<NextKeyMarker>${++pages}</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>`;
    response.end(searchParams.has('uploads') ? `<IsTruncated>true</IsTruncated>${page}` : id);
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}/artefacts`;
  const bucket = {
    url,
    name: 'the store',
    prefix: '',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  };
  const log = pino({ level: 'silent' });
  const archives = openArchives({
    pool: database.pool,
    siteReader: null!,
    artefactsFolder: folder.path,
    bucket,
    log,
  });
  await expect.poll(() => pages, { timeout: 20_000 }).toBeGreaterThan(100);
  await archives[Symbol.asyncDispose]();
  store.closeAllConnections();
  store.close();
});
