import fc from 'fast-check';
import { z } from 'zod';
import { frameAnswer, frameRequest } from '#core/http1/message-body.ts';
import { formatHead, MessageError, parseAnswerHead, parseRequestHead } from '#core/http1/message-head.ts';
import { readTarget } from '#httpep/exchange/heads.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual } from '../support/promises.ts';

const InputSchema = z.strictObject({ kind: z.enum(['request', 'answer']), lines: z.array(z.string()).max(20) });
type Input = z.infer<typeof InputSchema>;

const name = fc.constantFrom(
  'Content-Length',
  'Transfer-Encoding',
  'content-length',
  'Connection',
  'Host',
  'X',
  ' X',
  '',
);
const value = fc.oneof(
  fc.constantFrom('5', '5, 5', '+5', '0x5', '', 'chunked', 'gzip, chunked', 'chunked, chunked', 'identity', 'a\tb'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const first = fc.constantFrom(
  'GET http://a.test/ HTTP/1.1',
  'POST http://a.test/ HTTP/1.0',
  'GET http://a\\b@c/ HTTP/1.1',
  'GET  / HTTP/1.1',
  'HTTP/1.1 200 OK',
  'HTTP/1.0 204',
  'http/1.1  304 \xe9',
  'HTTP/0.9 200',
  'HTTP 20 OK',
  'HTTP/1.1\t200',
  'ICY -200.5 OK',
);
const lineEnd = fc.oneof({ weight: 9, arbitrary: fc.constant('\r') }, fc.constantFrom('', '\r\r', '\0\r'));
const field = fc.tuple(name, fc.constantFrom(':', ': ', ' :', ''), value, lineEnd).map((parts) => parts.join(''));

/** Heads of HTTP/1.1 that clients and web servers send to HTTPEP. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    kind: fc.constantFrom('request', 'answer'),
    lines: fc
      .tuple(first, lineEnd, fc.array(field, { maxLength: 6 }))
      .map(([text, end, fields]) => [`${text}${end}`, ...fields].map((line) => line.replaceAll('\n', ''))),
  }),
  run({ kind, lines }) {
    const text = lines.map((line) => line.replaceAll('\n', ''));
    try {
      return kind === 'request' ? readRequest(text) : readAnswer(text);
    } catch (error) {
      if (error instanceof MessageError) return [kind, error.message.replaceAll(/[^a-z ]/gi, '').slice(0, 24)];
      throw error;
    }
  },
};

function readRequest(lines: string[]): string[] {
  const head = parseRequestHead(lines);
  const framing = frameRequest(head);
  const place = readTarget(head.target);
  if (place) must(head.target.endsWith(place.path), 'the path of a target is as it came');
  const again = formatHead(`${head.method} ${head.target} HTTP/${head.version}`, head.headers).split('\n').slice(0, -2);
  mustEqual(parseRequestHead(again), head, 'what is passed on is read alike');
  mustEqual(frameRequest(parseRequestHead(again)), framing, 'a body has one length');
  return ['request', framing.kind, String(place !== null)];
}

function readAnswer(lines: string[]): string[] {
  const head = parseAnswerHead(lines);
  const framing = frameAnswer(head, 'GET');
  const again = parseAnswerHead(
    formatHead(`HTTP/${head.version} ${head.status} ${head.reason}`, head.headers).split('\n').slice(0, -2),
  );
  mustEqual({ ...again, droppedCount: 0 }, { ...head, droppedCount: 0 }, 'what is passed on is read alike');
  mustEqual(again.droppedCount, 0, 'what is passed on has fields alone');
  mustEqual(frameAnswer(again, 'GET'), framing, 'a body has one length');
  return ['answer', framing.kind];
}
