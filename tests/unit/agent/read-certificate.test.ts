import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { describeName, readCertificate } from '#agent/certificates/read-certificate.ts';
import { SiteCertificateSchema } from '#core/protocol/site-certificate.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const { signal } = new AbortController();
const origin = holdForAll(() => startOrigin());

test('the key of the authority is read, by HTTP/1.1 and HTTP/2 alike, with the names and the end of the certificate', async () => {
  for (const url of [origin.httpsUrl, `${origin.http2Url}/images/3`]) {
    const certificate = SiteCertificateSchema.parse(await readCertificate(url, signal));
    expect(certificate.trustedKey).toBe(origin.trustedKey);
    expect(certificate.issuer).toMatch(/^[A-Z]+=\S/);
    expect(Date.parse(certificate.validUntil)).toBeGreaterThan(Date.now());
  }
});

test('a server without TLS, and a port that nobody listens at, are errors with the reason', async () => {
  const server = createServer((socket) => socket.resume().end('no TLS')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await expect(readCertificate(`https://127.0.0.1:${port}/`, signal)).rejects.toThrow(/./);
  server.close();
  await once(server, 'close');
  await expect(readCertificate(`https://127.0.0.1:${port}/`, signal)).rejects.toThrow('ECONNREFUSED');
});

test('a name has all of its parts, in 500 characters at most', () => {
  expect(describeName({ CN: 'origin.example', OU: ['a', 'b'], O: 'Example' })).toBe(
    'CN=origin.example, OU=a, b, O=Example',
  );
  expect(describeName({ CN: 'x'.repeat(497) })).toHaveLength(500);
  expect(describeName({ CN: 'x'.repeat(9000), O: 'Example' })).toBe(`CN=${'x'.repeat(497)}`);
});
