import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readElements, readText } from '#controller/captures/artefacts/bucket/bucket-client.ts';
import { openBucket, type Bucket } from '#controller/captures/artefacts/bucket/open-bucket.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const contents = Buffer.from('a trace, of which the store has something else');
const sha256 = createHash('sha256').update(contents).digest('hex');
const key = `lab/${sha256.slice(0, 2)}/${sha256.slice(2)}`;

let answer: RequestListener;
let asked: string[];
let server: Server;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let bucket: Bucket;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    request.resume();
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  folder = await makeTemporaryFolder();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = { url: `${endpoint}/artefacts`, name: 'the store', prefix: 'lab/', region: 'us-east-1' };
  bucket = openBucket({ ...address, accessKeyId: 'id', secretAccessKey: 'secret' }, { folder: folder.path });
});
afterEach(async () => {
  await bucket[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await folder[Symbol.asyncDispose]();
});

async function listTraces(): Promise<string[]> {
  const found: string[] = [];
  for await (const each of bucket.traces.list()) found.push(each);
  return found;
}

const away = (message: string) => ({
  code: 'artefacts-unreachable',
  message: expect.stringContaining(message) as string,
});
const say =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);
const endless =
  (part: string): RequestListener =>
  (_request, response) => {
    const flow = () => {
      while (!response.destroyed && response.write(part.repeat(1000)));
    };
    response.on('drain', flow);
    flow();
  };

test.for([
  ['a list', listTraces],
  ['the list of uploads', () => bucket.traces.removeIncomingBefore(0)],
  ['its id', () => bucket.readId()],
] as const)('an answer without an end is not read to its end: %s', async ([, read]) => {
  answer = endless('<Contents><Key>');
  await expect(read()).rejects.toMatchObject(away('an answer has more than 8388608 bytes'));
});

test('a refusal without an end is read as far as its reason may be', async () => {
  answer = (request, response) => {
    response.statusCode = 403;
    response.write('<Error><Code>Denied</Code></Error>');
    endless(' ')(request, response);
  };
  await expect(bucket.traces.remove(sha256)).rejects.toMatchObject(away('HTTP status 403 (Denied)'));
});

test('beginnings without an end are read once, and what is no character stays as it is', () => {
  expect(readElements('<Contents>'.repeat(800_000), 'Contents')).toEqual([]);
  expect(readElements('<Contents'.repeat(800_000), 'Contents')).toEqual([]);
  expect(readElements('<Content><Key/><Key a="b">1</Key></Content><Keys>2</Keys><Key>3</Key>', 'Key')).toEqual([
    '1',
    '3',
  ]);
  expect(readText('<Key>&#x110000;&#99999999999;&#65;&amp;&none;</Key>', 'Key')).toBe(
    '&#x110000;&#99999999999;A&&none;',
  );
});

test('a list that never ends although it says nothing new is given up', async () => {
  answer = say('<IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken>');
  await expect(listTraces()).rejects.toMatchObject(away('again and again'));
  answer = say(
    '<IsTruncated>true</IsTruncated><NextKeyMarker>1</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>',
  );
  await expect(bucket.traces.removeIncomingBefore(0)).rejects.toMatchObject(away('again and again'));
  expect(asked).toHaveLength(4);
});

test('a list leads to no file of others', async () => {
  const uploads = ['lab/../../other/x', 'elsewhere/ab', `lab/pictures/${sha256}`, key].map(
    (name) => `<Upload><Key>${name}</Key><UploadId>1</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>`,
  );
  answer = say(uploads.join(''));
  await bucket.traces.removeIncomingBefore(Date.parse('2021-01-01'));
  expect(asked.filter((each) => each.startsWith('DELETE'))).toEqual([`DELETE /artefacts/${key}?uploadId=1`]);
  answer = say(`<Contents><Key>lab/../../etc/passwd</Key></Contents><Contents><Key>${key}</Key></Contents>`);
  expect(await listTraces()).toEqual([sha256]);
});

test.for([
  ['other contents', Buffer.from('a trace, of which the store has nothing at all')],
  ['no contents', Buffer.alloc(0)],
] as const)('nobody takes %s for the file', async ([, sent]) => {
  answer = say(sent, { 'content-length': String(sent.length) });
  await using file = (await bucket.traces.open(sha256))!;
  const passed: Buffer[] = [];
  const stream = file.read().on('data', (part: Buffer) => passed.push(part));
  const [error] = (await once(stream, 'error')) as [Error];
  expect(error).toMatchObject(away('has other contents'));
  expect(Buffer.concat(passed).length).toBeLessThan(Math.max(1, sent.length));
});

test('the file itself is passed on', async () => {
  answer = say(contents, { 'content-length': String(contents.length) });
  await using file = (await bucket.traces.open(sha256))!;
  expect([file.bytes, await buffer(file.read())]).toEqual([contents.length, contents]);
});

test('a file of unknown length, and an id that is none, are no answers', async () => {
  answer = say('x', { 'transfer-encoding': 'chunked' });
  await expect(bucket.traces.open(sha256)).rejects.toMatchObject(away('does not say how many bytes'));
  await expect(bucket.readId()).rejects.toMatchObject(away('has no id in "store-id"'));
});

test('it is followed nowhere', async () => {
  const { port } = server.address() as AddressInfo;
  answer = (_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
  await expect(bucket.traces.open(sha256)).rejects.toMatchObject(away('HTTP status 302'));
  expect(asked).toEqual([`GET /artefacts/${key}`]);
});
