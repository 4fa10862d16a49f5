import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { ask, openNetwork, type Outcome } from './ask-network.ts';
import { serveTcp } from './serve-tcp.ts';

/** Of a web server that sends these bytes and closes. */
async function receive(answer: string): Promise<Outcome> {
  await using server = await serveTcp((socket) => socket.once('data', () => socket.end(Buffer.from(answer, 'latin1'))));
  await using network = openNetwork();
  return await ask(network, server.url);
}

/** Status, reason and body. */
async function read(answer: string): Promise<string> {
  const { head, body, failure } = await receive(answer);
  expect(failure).toBeNull();
  return `${head!.status} ${head!.statusText}: ${body}`;
}

const withFields = (fields: string, body = 'hello world') => `HTTP/1.1 200 OK\r\n${fields}\r\n${body}`;
const chunked = (body: string, coding = 'chunked', fields = '') =>
  withFields(`${fields}Transfer-Encoding: ${coding}\r\n`, body);
const long = (count: number) => `X-A: ${'x'.repeat(995)}\r\n`.repeat(count);

/** What Chrome 156 makes of each, as measured with `fetch()`. Firefox reads most of them alike. */
describe('as in Chrome', () => {
  test.each([
    ['HTTP/1.1 200 OK', '200 OK'],
    ['HTTP/1.1 200OK', '200 OK'],
    ['HTTP/1.1 200', '200 '],
    ['HTTP/1.1', '200 OK'],
    ['HTTP/1.1 ', '200 '],
    ['HTTP/1.1 OK', '200 '],
    ['http/1.1  404  Not  here ', '404 Not  here'],
    ['HTTP/1.1\t404\tNo', '200 OK'],
    [' HTTP/1.1 404 No', '404 No'],
    ['HTTP/2.0 404 No', '404 No'],
    ['HTTP/2 404 No', '404 No'],
    ['HTTP/0.9 404 No', '404 No'],
    ['HTTP 404 No', '404 No'],
    ['HTTPS/1.1 404 No', '404 No'],
    ['HTTP/x.y 404 No', '404 No'],
    ['HTTP/1.1404 No', '200 '],
    ['HTTP/1.1 20 OK', '20 OK'],
    ['HTTP/1.1 0404 No', '404 No'],
    ['HTTP/1.1 1000 OK', '1000 OK'],
    ['HTTP/1.1 -404 No', '200 '],
    ['HTTP/1.1 404.5 No', '404 .5 No'],
    ['HTTP/1.1 404-none', '404 -none'],
    ['HTTP/1.1 404 \xc3\xbc\xff', '404 \xc3\xbc\xff'],
    ['HTTP/1.1 404 N\ro', '404 N'],
    ['\r\nHTTP/1.1 404 No', '404 No'],
    ['ab\r\nHTTP/1.1 404 No', '404 No'],
    ['abcdHTTP/1.1 404 No', '404 No'],
    ['\xef\xbb\xbfHTTP/1.1 404 No', '404 No'],
  ])('the first line %j is read', async (line, expected) => {
    expect(await read(`${line}\r\nContent-Length: 5\r\n\r\nhello`)).toBe(`${expected}: hello`);
  });

  test.each([
    ['no field', 'nonsense\r\nX-A: 1\r\n', '1'],
    ['a name that is empty', ': 1\r\nX-A: 1\r\n', '1'],
    ['a space in a name', 'X Powered By: me\r\nX-A: 1\r\n', '1'],
    ['a space before a colon', 'X-A : 1\r\n', '1'],
    ['a tab before a colon', 'X-A\t: 1\r\n', '1'],
    ['a space before a name', ' X-A: 1\r\n', undefined],
    ['odd bytes in names', 'X-\xe4: 2\r\nX-(a): 2\r\nX-A: 1\r\n', '1'],
    ['two lines', 'X-A: a\r\n \t b\r\n', 'a b'],
    ['a line of blanks', 'X-A: 1\r\n   \r\nX-B: 2\r\n', '1'],
    ['a second line of what is no field', 'nonsense\r\n X-A: 2\r\n', undefined],
    ['CR within', 'X-A: a\rb\r\n', 'a'],
    ['two CR before LF', 'X-A: a\r\r\n', 'a'],
    ['LF alone', 'X-A: a\n', 'a'],
    ['bytes above 127', 'X-A: \xe4\xc3\xbc\r\n', '\xe4\xc3\xbc'],
    ['control characters', 'X-A: \x0ba\x01\x7fb\r\n', '\x0ba\x01\x7fb'],
    ['no value', 'X-A:\r\n', ''],
    ['names of objects', '__proto__: 2\r\nconstructor: 2\r\nX-A: 1\r\n', '1'],
    ['250 kB', `${long(249)}X-B: 1\r\n`, expect.stringMatching(/^x{995}, x/)],
  ])('a field with %s', async (_, fields, expected) => {
    const { head, body, failure } = await receive(withFields(`${fields}Content-Length: 5\r\n`));
    expect([failure, head?.headers['x-a'], body]).toEqual([null, expected, 'hello']);
  });

  test.each([
    ['5\r\nContent-Length: 5', 'hello'],
    ['5, 5', 'hello'],
    ['005', 'hello'],
    [`${'0'.repeat(30)}5`, 'hello'],
    ['\r\n 5', 'hello'],
    ['0', ''],
    ['+5', 'hello world'],
    ['-5', 'hello world'],
    ['0x5', 'hello world'],
    ['5 bytes', 'hello world'],
    ['"5"', 'hello world'],
    ['5.0', 'hello world'],
    ['many', 'hello world'],
    ['many\r\nContent-Length: many', 'hello world'],
    ['', 'hello world'],
    ['9'.repeat(30), 'hello world'],
    ['5\r\nTransfer-Encoding: gzip', 'hello'],
    ['5\r\nTransfer-Encoding: identity', 'hello'],
  ])('a body of the length %j', async (length, expected) => {
    expect(await read(withFields(`Content-Length: ${length}\r\n`))).toBe(`200 OK: ${expected}`);
  });

  const plain = '5\r\nhello\r\n0\r\n\r\n';
  test.each([
    ['a length too', chunked(plain, 'chunked', 'Content-Length: 50\r\n')],
    ['two lengths too', chunked(plain, 'chunked', 'Content-Length: 50\r\nContent-Length: 60\r\n')],
    ['another coding before', chunked(plain, 'gzip, chunked')],
    ['another coding behind', chunked(plain, 'chunked, gzip')],
    ['the coding twice', chunked(plain, 'chunked\r\nTransfer-Encoding: chunked')],
    ['other letters', chunked(plain, 'CHUNKED')],
    ['another version', chunked(plain).replace('1.1', '2.0')],
    ['no status', chunked(plain).replace(' 200', '')],
    ['LF alone', chunked('5\nhello\n0\n\n')],
    ['leading zeros', chunked(`${'0'.repeat(21)}5\r\nhello\r\n00000\r\n\r\n`)],
    ['spaces behind a size', chunked('5  \r\nhello\r\n0  \r\n\r\n')],
    ['extensions', chunked('5 ; a=b\r\nhello\r\n0;x\r\n\r\n')],
    ['an extension of 10 kB', chunked(`5;${'x'.repeat(10_000)}\r\nhello\r\n0\r\n\r\n`)],
    ['fields behind', chunked('5\r\nhello\r\n0\r\nX-T: 1\r\nnonsense\r\n\r\n')],
    ['300 kB of fields behind', chunked(`5\r\nhello\r\n0\r\n${long(300)}\r\n`)],
    ['something behind', chunked(`${plain}junk`)],
  ])('chunks with %s', async (_, answer) => {
    expect(await read(answer)).toMatch(/: hello$/);
  });

  test.each([
    ['of HTTP/1.0', chunked(plain).replace('1.1', '1.0')],
    ['of HTTP/2', chunked(plain).replace('1.1', '2')],
    ['with a parameter', chunked(plain, 'chunked;q=1')],
    ['in quotation marks', chunked(plain, '"chunked"')],
    ['behind a control character', chunked(plain, '\x0bchunked')],
  ])('chunks %s are none', async (_, answer) => {
    expect(await read(answer)).toMatch(/: 5\r\nhello\r\n0\r\n\r\n$/);
  });

  test.each([
    ['within a field', 'HTTP/1.1 404 No\r\nX-A: 1\r\nContent-Len', '1'],
    ['behind a field', 'HTTP/1.1 404 No\r\nX-A: 1\r\nContent-Length: 5\r\n', '1'],
    ['within the first line', 'HTTP/1.1 404 No', undefined],
  ])('a head that is cut off %s has no body', async (_, answer, expected) => {
    const { head, body, failure } = await receive(answer);
    expect([failure, head?.status, head?.headers['x-a'], body]).toEqual([null, 404, expected, '']);
  });

  test('one that is cut off is refused over TLS, where others could cut it', async () => {
    const authority = await createAuthority(epochClock());
    const certificate = await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs: epochClock() });
    const server = createServer(certificate, (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nX-A: 1\r\n')),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await using stack = new AsyncDisposableStack();
    stack.defer(() => void server.close());
    const network = stack.use(openNetwork({ trustedKeys: [hashPublicKey(authority.certificate)] }));
    const outcome = await ask(network, `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(outcome).toMatchObject({ head: null, failure: { code: 'unsupported-content' } });
  });

  test.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'],
    ['one that has no meaning', 'HTTP/1.1 199 X\r\n\r\n'],
    ['101, which nobody asked for', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['200 of them', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(200)],
    ['100 with a length', 'HTTP/1.1 100 Continue\r\nContent-Length: 3\r\n\r\nabc'],
  ])('an interim answer is passed over: %s', async (_, interim) => {
    expect(await read(`${interim}${withFields('Content-Length: 5\r\n', 'hello')}`)).toBe('200 OK: hello');
  });

  test.each([204, 205, 304])('the status %i has no body', async (status) => {
    expect(await read(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\nhello`)).toBe(`${status} X: `);
  });

  test.each([
    ['junk of five bytes', 'abcdeHTTP/1.1 200 OK\r\n\r\n'],
    ['two lines of junk', 'a\r\nb\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['no head', '<p>x</p><p>y</p>\r\n\r\n'],
    ['a part of one', 'HTT'],
    ['a head of 270 kB', withFields(long(270))],
    ['two lengths', withFields('Content-Length: 5\r\nContent-Length: 6\r\n')],
    ['two lengths in other digits', withFields('Content-Length: 5\r\nContent-Length: 05\r\n')],
    ['two lengths in one field', withFields('Content-Length: 5, 6\r\n')],
    ['a length and none', withFields('Content-Length: 5,\r\n')],
  ])('is unsupported-content: %s', async (_, answer) => {
    expect(await receive(answer)).toMatchObject({ head: null, failure: { code: 'unsupported-content' } });
  });

  test.each([
    ['a body shorter than its length', withFields('Content-Length: 50\r\n')],
    ['one of HTTP/1.0', withFields('Content-Length: 50\r\n').replace('1.1', '1.0')],
    ['a length beyond all bodies', withFields(`Content-Length: ${'9'.repeat(17)}\r\n`)],
    ['chunks without their end', chunked('5\r\nhello\r\n0\r\n')],
    ['no chunk', chunked('')],
    ['a chunk that is longer than it says', chunked('3\r\nhello\r\n0\r\n\r\n')],
    ['a chunk without a size', chunked('\r\n5\r\nhello\r\n0\r\n\r\n')],
    ['letters behind a size', chunked('5x\r\nhello\r\n0\r\n\r\n')],
    ['a hexadecimal sign', chunked('0x5\r\nhello\r\n0\r\n\r\n')],
    ['a sign', chunked('+5\r\nhello\r\n0\r\n\r\n')],
    ['a size beyond all bodies', chunked('ffffffffffffffffff\r\nhello')],
    ['an extension of 17 kB', chunked(`5;${'x'.repeat(17_000)}\r\nhello\r\n0\r\n\r\n`)],
    ['a field of 20 kB behind', chunked(`5\r\nhello\r\n0\r\nX-T: ${'x'.repeat(20_000)}\r\n\r\n`)],
  ])('is connection-reset behind its head: %s', async (_, answer) => {
    expect(await receive(answer)).toMatchObject({ head: { status: 200 }, failure: { code: 'connection-reset' } });
  });

  test('what is no head is refused although the connection stays open', async () => {
    await using server = await serveTcp((socket) => socket.once('data', () => socket.write('220 mail.test')));
    await using network = openNetwork();
    expect(await ask(network, server.url)).toMatchObject({ failure: { code: 'unsupported-content' } });
  });
});

/** Chrome refuses these, or reads what radio stations send as a page. */
describe('as in Firefox', () => {
  test.each([
    ['what radio stations say', 'ICY 200 OK\r\n\r\nhello'],
    ['NUL in a reason', 'HTTP/1.1 200 O\0K\r\n\r\nhello'],
    ['NUL in a field', withFields('X-A: a\0b\r\n', 'hello')],
    ['NUL before the head', '\0HTTP/1.1 200 OK\r\n\r\nhello'],
    ['empty lines behind an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n\r\n\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello'],
    ['white space before the size of a chunk', chunked(' \t5\r\nhello\r\n0\r\n\r\n')],
    ['a tab behind it', chunked('5\t\r\nhello\r\n0\r\n\r\n')],
    ['words behind it', chunked('5 abc\r\nhello\r\n0\r\n\r\n')],
    ['another sign behind it', chunked('5,\r\nhello\r\n0\r\n\r\n')],
  ])('is read: %s', async (_, answer) => {
    expect(await read(answer)).toMatch(/^200 .*: hello$/);
  });
});
