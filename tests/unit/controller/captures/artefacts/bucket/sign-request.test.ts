import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { signRequest, type SignableRequest } from '#controller/captures/artefacts/bucket/bucket-client.ts';

// Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header", its examples.
const credentials = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const dateTime = '20130524T000000Z';
const host = 'https://examplebucket.s3.amazonaws.com';
const hashOf = (contents: string) => createHash('sha256').update(contents).digest('hex');

const examples: (SignableRequest & { signed: string; signature: string })[] = [
  {
    method: 'PUT',
    url: `${host}/test$file.text`,
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    sha256: hashOf('Welcome to Amazon S3.'),
    signed: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    method: 'GET',
    url: `${host}/?lifecycle`,
    sha256: hashOf(''),
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    method: 'GET',
    url: `${host}/?prefix=J&max-keys=2`,
    sha256: hashOf(''),
    signed: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

test.each(examples)('$method $url is signed as Amazon publishes it', async ({ signed, signature, ...request }) => {
  const headers = await signRequest(request, credentials, dateTime);
  expect(headers['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${signed}, Signature=${signature}`,
  );
});

test('a session token is signed with the request', async () => {
  const headers = await signRequest(
    { method: 'GET', url: `${host}/?lifecycle`, sha256: hashOf('') },
    { ...credentials, sessionToken: 'a token' },
    dateTime,
  );
  expect(headers).toMatchObject({
    'x-amz-security-token': 'a token',
    authorization: expect.stringContaining(';x-amz-security-token, ') as string,
  });
});
