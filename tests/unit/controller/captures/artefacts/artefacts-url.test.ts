import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readArtefactsUrl } from '#controller/captures/artefacts/artefacts-url.ts';
import { makeTemporaryFolder } from '../../../../support/temporary-folder.ts';

const keys = { AWS_ACCESS_KEY_ID: 'an-id', AWS_SECRET_ACCESS_KEY: 'a-secret' };
const secrets = { accessKeyId: 'an-id', secretAccessKey: 'a-secret' };
const read = (url: string, environment: NodeJS.ProcessEnv = keys) =>
  readArtefactsUrl({ ...environment, ARTEFACTS_URL: url });

test('without ARTEFACTS_URL there is no choice, and a file: URL is a folder', async () => {
  expect(readArtefactsUrl(keys)).toBeNull();
  await using folder = await makeTemporaryFolder();
  expect(read(pathToFileURL(folder.path).href, {})).toEqual({ kind: 'folder', folder: folder.path });
});

test.each([
  [
    's3://traces?region=eu-central-1',
    {},
    { url: 'https://traces.s3.eu-central-1.amazonaws.com', prefix: '', region: 'eu-central-1' },
  ],
  [
    's3://traces.lab/a/b/',
    { AWS_REGION: 'eu-west-1' },
    { url: 'https://s3.eu-west-1.amazonaws.com/traces.lab', prefix: 'a/b/', region: 'eu-west-1' },
  ],
  [
    's3://traces/lab?endpoint=http://127.0.0.1:9000/',
    {},
    { url: 'http://127.0.0.1:9000/traces', prefix: 'lab/', region: 'us-east-1' },
  ],
  [
    's3://traces',
    { AWS_ENDPOINT_URL_S3: 'https://s3.example', AWS_SESSION_TOKEN: 'more' },
    { url: 'https://s3.example/traces', prefix: '', region: 'us-east-1', sessionToken: 'more' },
  ],
])('%s with %o is a bucket', (url, environment, address) => {
  expect(read(url, { ...keys, ...environment })).toEqual({
    kind: 'bucket',
    address: { ...secrets, ...address, name: expect.stringMatching(/^s3:\/\/traces.* at https?:/) as string },
  });
});

test.each([
  ['https://s3.example/traces', keys, 'is neither s3: nor file:'],
  ['file://elsewhere/traces', keys, 'names no folder'],
  ['file:///not%20mounted/traces', keys, 'names /not mounted/traces, which is no folder'],
  ['s3://an-id:a-secret@traces', keys, 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead'],
  ['s3://127.0.0.1:9000/traces', keys, 'name the bucket first and the server by its endpoint'],
  ['s3://Traces_1', keys, 'names no bucket'],
  ['s3://traces/a/../b c', keys, 'has a prefix'],
  [`s3://traces/${'a'.repeat(300)}`, keys, 'has a prefix'],
  ['s3://traces?endpoint=http://a-secret@s3.example', keys, 'has an endpoint'],
  ['s3://traces?region=Mars!', keys, 'has a region'],
  ['s3://traces?secret=a-secret', keys, 'has an unknown option'],
  ['s3://traces', {}, 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too'],
])('%s is rejected, without a secret in the message', (url, environment, message) => {
  let thrown: unknown;
  try {
    read(url, environment);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'invalid-input', message: expect.stringContaining(message) as string });
  expect((thrown as Error).message).not.toContain('a-secret');
});
