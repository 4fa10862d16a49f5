import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ground } from '#httpep/ground/start-ground.ts';
import { hashPassword } from '#httpep/remote/clients.ts';
import type { Remote } from '#httpep/remote/start-remote.ts';
import { LeafCertificates } from '#httpep/remote/tls/tls-ending.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin, type OddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

let origin: OddOrigin;
let ground: Ground;
/** It needs a password, and ends TLS. */
let remote: Remote;
beforeAll(async () => {
  origin = await startOddOrigin();
  ground = await startTestGround();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaves = await LeafCertificates.open(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  remote = await startTestRemote(ground.port, { leaves, passwords: new Map([['ann', hashPassword('secret')]]) });
});
afterAll(async () => {
  await remote[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

describe('credentials that are none', () => {
  test.each([
    ['nothing', ''],
    ['another scheme', 'Bearer ann'],
    ['no base64', 'Basic !!!'],
    ['no password', basic('ann')],
    ['an empty password', basic('ann:')],
    ['a name of every object', basic('__proto__:secret')],
    ['a method of every object', basic('constructor:secret')],
    ['NUL behind the password', basic('ann:secret\0')],
    ['50 kB', basic(`ann:${'x'.repeat(37_000)}`)],
    ['two of them', `${basic('ann:secret')}, ${basic('ann:secret')}`],
  ])('%s: 407, and the web server is not asked', async (_, value) => {
    const before = origin.asked.length;
    const answer = await ask(`${origin.url}/plain`, { headers: { 'proxy-authorization': value } }, remote.port);
    expect(answer.status).toBe(407);
    expect(answer.headers).toContain('Basic realm="HTTPEP"');
    expect(origin.asked).toHaveLength(before);
  });

  test('those within TLS do not count: who it is was asked at CONNECT', async () => {
    const socket = connectTcp(remote.port, '127.0.0.1');
    socket.write(`CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 407 /);
  });
});

describe('CONNECT to hosts that are none, where TLS ends', () => {
  const open = async (host: string) => {
    const socket = connectTcp(remote.port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nProxy-Authorization: ${basic('ann:secret')}\r\n\r\n`, 'latin1');
    const [first] = (await once(socket, 'data')) as [string];
    socket.setEncoding();
    return { socket, first };
  };

  test.each([['*'], ['..'], ['-'], ['xn--'], ['a'.repeat(300)], ['\xff\xfe'], ['0x7f.1'], ['1.2.3.4.5'], ['[::g]']])(
    '%j: refused or closed, and the next one is served',
    async (host) => {
      const { socket, first } = await open(host);
      if (!first.startsWith('HTTP/1.1 400')) {
        expect(first).toMatch(/^HTTP\/1\.1 200 /);
        const secure = connect({ socket, rejectUnauthorized: false });
        await Promise.race([once(secure, 'secureConnect'), once(socket, 'close')]).catch(() => undefined);
      }
      socket.destroy();
      const headers = { 'proxy-authorization': basic('ann:secret') };
      expect((await ask(`${origin.url}/plain`, { headers }, remote.port)).status).toBe(200);
    },
  );
});
