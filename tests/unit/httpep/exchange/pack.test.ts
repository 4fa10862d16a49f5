import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { QuestionSchema, type Question } from '#httpep/exchange/heads.ts';
import { pack, unpack } from '#httpep/exchange/pack.ts';

const question: Question = {
  kind: 'request',
  user: '198.19.1.1',
  method: 'GET',
  url: 'http://198.19.0.1:8080/images/10',
  version: '1.1',
  hasBody: false,
  isUpgrade: false,
  headers: [
    ...['Host', '198.19.0.1:8080', 'Upgrade-Insecure-Requests', '1'],
    'User-Agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
    'Accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    ...['Accept-Encoding', 'gzip, deflate', 'Accept-Language', 'en-US,en;q=0.9'],
  ],
};

test("a browser's request is packed into less than 90 bytes, and comes out as it was", () => {
  const packed = pack(question);
  expect(packed.length).toBeLessThan(90);
  expect(unpack(packed, QuestionSchema)).toEqual(question);
});

test.for<[string, Buffer]>([
  ['what is not packed', Buffer.from('nonsense')],
  ['another form', pack({ kind: 'request', method: 'GET' })],
  ['a URL of another kind', pack({ ...question, url: 'file:///etc/passwd' })],
  ['a port that does not exist', pack({ kind: 'connect', user: 'a', host: 'b', port: 70_000 })],
  ['more than a head can be', deflateRawSync(Buffer.alloc(2_000_000))],
])('%s is refused', ([, bytes]) => {
  expect(() => unpack(bytes, QuestionSchema)).toThrow('cannot be read');
});
