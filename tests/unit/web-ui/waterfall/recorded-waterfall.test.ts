import { expect, test } from 'vitest';
import type { SiteExchange } from '#core/site/site.ts';
import { makeRecordedExchange } from '#tests/support/make-recorded-site.ts';
import { layOutRecording } from '#web-ui/src/waterfall/recorded-waterfall.ts';

const hosts = [{ name: 'shop.test', address: '192.0.2.1', connectMs: 20 }];
const record = (number: number, change: Partial<SiteExchange>): SiteExchange => ({
  ...makeRecordedExchange(),
  number,
  body: null,
  ...change,
});

test('each request has its connection before it, then a round trip, what the server took, and the body', () => {
  const first = record(0, { startMs: 60, connectMs: 20, tlsMs: 30, thinkMs: 5, receiveMs: 8, connection: 7 });
  const { rows, endMs } = layOutRecording({ exchanges: [first], hosts });
  expect(rows[0]!.phases).toEqual([
    { kind: 'connect', startMs: 10, endMs: 30 },
    { kind: 'tls', startMs: 30, endMs: 60 },
    { kind: 'wait', startMs: 60, endMs: 85 },
    { kind: 'receive', startMs: 85, endMs: 93 },
  ]);
  expect(rows[0]).toMatchObject({
    startMs: 10,
    endMs: 93,
    connection: 1,
    serverAddress: '192.0.2.1',
    type: 'document',
  });
  expect(endMs).toBe(93);
});

test('rows are in the order of their requests, and what is not known is not drawn', () => {
  const unknown = { connectMs: null, tlsMs: null, thinkMs: null, receiveMs: null, connection: null };
  const { rows } = layOutRecording({
    exchanges: [
      record(0, { ...unknown, startMs: 50, url: 'https://other.test/' }),
      record(1, { ...unknown, startMs: 40, url: 'https://shop.test/a' }),
    ],
    hosts,
  });
  expect(rows.map(({ key, startMs, endMs, connection }) => [key, startMs, endMs, connection])).toEqual([
    ['1', 40, 60, null],
    ['0', 50, 50, null],
  ]);
});
