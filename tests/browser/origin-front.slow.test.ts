import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { get } from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { listProcesses } from '#tests/support/list-processes.ts';
import { hasCaddy } from './support/has-caddy.ts';

describe.skipIf(!hasCaddy)('the front of the origin', () => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin({ http3: true });
  });
  afterAll(() => origin.close());

  /** Over HTTP/1.1 on a connection of its own. */
  async function ask(path: string, headers = {}): Promise<string> {
    const request = get(`${origin.urls.front}${path}`, { ca: origin.authorityCertificate, agent: false, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await text(response);
  }

  test('the log has protocol and connection of each request, whatever the client claims', async () => {
    const forged = { 'http-ae-front-protocol': 'HTTP/3.0', 'http-ae-front-port': '1', 'http-ae-front-secret': 'none' };
    expect(await ask('/data?visit=http1', forged)).toBe('{}');
    const session = connectHttp2(origin.urls.front!, { ca: origin.authorityCertificate });
    try {
      for (let index = 0; index < 2; index++)
        expect(await text(session.request({ ':path': '/data?visit=http2', ...forged }))).toBe('{}');
    } finally {
      session.close();
    }
    expect(origin.truth.requests('http1')).toMatchObject([{ protocol: 'http/1.1', outcome: 'complete' }]);
    const requests = origin.truth.requests('http2');
    expect(requests).toMatchObject([{ protocol: 'h2' }, { protocol: 'h2' }]);
    expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(1);
  });

  test('an answer’s parts leave as the origin gives them', async () => {
    const request = get(`${origin.urls.front}/data?chunks=2&chunkGapMs=400&visit=parts`, {
      ca: origin.authorityCertificate,
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    expect(origin.truth.requests('parts')).toMatchObject([{ outcome: 'in-flight' }]);
    response.resume();
    await once(response, 'end');
  });

  test.each(['/reset', '/empty'])('%s gets no answer, and is asked for once', async (path) => {
    await expect(ask(`${path}?visit=${path.slice(1)}`)).rejects.toThrow();
    expect(origin.truth.requests(path.slice(1))).toHaveLength(1);
  });

  test('it ends with the origin, by kill -9 too', async () => {
    const main = path.resolve(import.meta.dirname, '../../testbed/origin/main.ts');
    const child = spawn(process.execPath, [main, '{"http3":true}'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(child.stdout), 'line');
    const front = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    expect(readFileSync(`/proc/${front}/comm`, 'utf8').trim()).toBe('caddy');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => isRunning(front)).toBe(false);
  });

  test('an origin whose front ended says so', async () => {
    await using other = await startOrigin({ http3: true });
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const failed = once(other.failed, 'abort');
    process.kill(Number(children.at(-1)), 'SIGKILL');
    await failed;
    expect(String(other.failed.reason)).toContain('The front of the origin (caddy) ended');
  });
});

function isRunning(pid: string): boolean {
  return listProcesses((each) => each === pid).length > 0;
}
