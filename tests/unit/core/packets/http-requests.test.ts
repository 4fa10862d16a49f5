import { expect, test } from 'vitest';
import { handshake, measureSteps, type Step } from '#tests/support/packets/measure.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: origin.test\r\n\r\n`;

/** The segments of a client, each sent once its predecessor is. */
function requestsOf(payloads: (string | Uint8Array)[]): number | undefined {
  let sequence = 1001;
  const steps = payloads.map((content, index): Step => {
    const payload = typeof content === 'string' ? bytesOf(content) : content;
    const step: Step = { atMs: 20 + index, way: '>', flags: 'A', sequence, acknowledgement: 5001, payload };
    sequence += payload.length;
    return step;
  });
  return measureSteps([...handshake(), ...steps]).tcp!.httpRequests;
}

test('requests are counted where they begin, pipelined ones in one segment too', () => {
  expect(requestsOf([get('/'), get('/a') + get('/b'), 'POST /form HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd'])).toBe(4);
  expect(requestsOf(['CONNECT origin.test:443 HTTP/1.1\r\n\r\n', 'GET http://origin.test/ HTTP/1.1\r\n\r\n'])).toBe(2);
});

test('a request whose end was not captured counts, and its later segments do not', () => {
  expect(requestsOf([`GET /${'a'.repeat(900)}`, `${'b'.repeat(400)} HTTP/1.1\r\n\r\n`])).toBe(1);
});

test('what is encrypted, of HTTP/2 or of a body is no request', () => {
  expect(requestsOf([Uint8Array.of(22, 3, 1, 0, 4, 1, 2, 3, 4)])).toBe(0);
  expect(requestsOf(['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])).toBe(0);
  expect(requestsOf(['Getting started', 'GET', 'GETAWAY /', 'see GET /a'])).toBe(0);
});

test('a request that was sent again is counted once', () => {
  const payload = bytesOf(get('/'));
  const request = { way: '>', flags: 'A', sequence: 1001, acknowledgement: 5001, payload } as const;
  expect(measureSteps([...handshake(), { atMs: 20, ...request }, { atMs: 900, ...request }]).tcp).toMatchObject({
    httpRequests: 1,
    retransmissions: 1,
  });
});
