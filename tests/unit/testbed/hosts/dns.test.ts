import { decode, encode, type Question } from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerQuery, encodeHttps } from '#testbed/hosts/dns/answer-query.ts';
import { DnsCache } from '#testbed/hosts/dns/dns-cache.ts';

const hosts = new Map([
  ['www.shop.test', { address: '198.19.254.1', protocols: ['h3', 'h2'] as const }],
  ['img.shop.test', { address: '198.19.254.2', protocols: ['h2'] as const }],
]);

function ask(name: string, type = 'A', more: { flags?: number; additionals?: never[] } = {}): Buffer {
  return encode({ type: 'query', id: 7, flags: 0x100, questions: [{ name, type } as Question], ...more });
}

const read = (message: Buffer | null) => decode(message!);

describe('the server of hosts', () => {
  test('answers with the address of a host, which others may keep', () => {
    const answer = read(answerQuery(ask('WWW.shop.test'), { hosts }));
    expect(answer).toMatchObject({ id: 7, rcode: 'NOERROR', flag_aa: true, flag_ra: true, flag_rd: true });
    expect(answer.answers).toMatchObject([{ name: 'WWW.shop.test', type: 'A', data: '198.19.254.1', ttl: 300 }]);
  });

  test('offers HTTP/3 where a host has it (RFC 9460)', () => {
    expect(read(answerQuery(ask('www.shop.test', 'UNKNOWN_65'), { hosts })).answers).toMatchObject([
      { type: 'UNKNOWN_65', data: Buffer.from('0001000001000602683302' + '6832', 'hex') },
    ]);
    expect(read(answerQuery(ask('img.shop.test', 'UNKNOWN_65'), { hosts })).answers).toEqual([]);
    expect(encodeHttps(['h2', 'http/1.1']).toString('latin1')).toBe('\0\x01\0\0\x01\0\x0c\x02h2\x08http/1.1');
  });

  test.for([
    ['www.shop.test', 'AAAA', 'NOERROR'],
    ['www.shop.test', 'TXT', 'NOERROR'],
    ['example.org', 'A', 'NXDOMAIN'],
    ['shop.test', 'A', 'NXDOMAIN'],
  ])('says that %s has no %s, for as long as others may keep that', ([name, type, rcode]) => {
    const answer = read(answerQuery(ask(name!, type), { hosts }));
    expect(answer).toMatchObject({ rcode, answers: [], authorities: [{ type: 'SOA', ttl: 300 }] });
  });

  test('ignores what is no query', () => {
    const twice = encode({
      type: 'query',
      questions: [
        { name: 'a.test', type: 'A' },
        { name: 'b.test', type: 'A' },
      ],
    });
    const loop = Buffer.from('000701000001000000000000c00c00010001', 'hex');
    const messages = [Buffer.alloc(0), Buffer.from('no'), ask('www.shop.test').subarray(0, 20), twice, loop];
    messages.push(answerQuery(ask('www.shop.test'), { hosts })!);
    expect(messages.map((message) => answerQuery(message, { hosts }))).toEqual(messages.map(() => null));
  });

  test('answers or ignores any bytes', () => {
    const message = ask('www.shop.test');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(message.length), (bytes, kept) => {
        const answer = answerQuery(Buffer.concat([message.subarray(0, kept), bytes]), { hosts });
        expect(answer === null || read(answer).type === 'response').toBe(true);
      }),
    );
  });

  test('does not do what only others do', () => {
    const notify = ask('www.shop.test', 'A', { flags: 4 << 11 });
    expect(read(answerQuery(notify, { hosts }))).toMatchObject({ rcode: 'NOTIMP', answers: [] });
  });

  test('sends a long answer over UDP only to one that takes it', () => {
    const name = [1, 2, 3, 4].map(() => 'a'.repeat(61)).join('.');
    const long = new Map([[name, hosts.get('img.shop.test')!]]);
    expect(read(answerQuery(ask(name), { hosts: long }))).toMatchObject({ flag_tc: true, answers: [] });
    expect(read(answerQuery(ask(name), { hosts: long, mostBytes: Infinity }))).toMatchObject({
      flag_tc: false,
      answers: [{ data: '198.19.254.2' }],
    });
  });
});

describe('the cache', () => {
  function openCache() {
    const asked: string[] = [];
    const clock = { ms: 0 };
    const cache = new DnsCache({
      ask: (query) => {
        asked.push(read(query).questions![0]!.name);
        return Promise.resolve(answerQuery(query, { hosts })!);
      },
      nowMs: () => clock.ms,
    });
    const look = async (name: string, type?: string) => read(await cache.answer(ask(name, type), 'udp'));
    return { asked, clock, look, cache };
  }

  test('asks once, and shows for how long the answer still holds', async () => {
    const { asked, clock, look } = openCache();
    expect((await look('www.shop.test')).answers).toMatchObject([{ ttl: 300 }]);
    clock.ms = 299_000;
    expect(await look('WWW.shop.test')).toMatchObject({
      id: 7,
      flag_aa: false,
      answers: [{ ttl: 1, data: '198.19.254.1' }],
    });
    expect(asked).toEqual(['www.shop.test']);
    clock.ms = 300_000;
    await look('www.shop.test');
    expect(asked).toHaveLength(2);
  });

  test('shows, too, for how long it still holds that there is none', async () => {
    const { clock, look } = openCache();
    const ttlOf = async () => ((await look('example.org')).authorities as { ttl: number }[])[0]!.ttl;
    const first = await ttlOf();
    clock.ms = 2500;
    expect(await ttlOf()).toBe(first - 2);
  });

  test('keeps, too, that there is none', async () => {
    const { asked, look } = openCache();
    for (let time = 0; time < 2; time++) {
      expect(await look('example.org')).toMatchObject({ rcode: 'NXDOMAIN' });
      expect((await look('www.shop.test', 'AAAA')).answers).toEqual([]);
    }
    expect(asked).toEqual(['example.org', 'www.shop.test']);
  });

  test('asks once for what many ask at the same time', async () => {
    const { asked, look } = openCache();
    await Promise.all([look('www.shop.test'), look('www.shop.test')]);
    expect(asked).toHaveLength(1);
  });

  test('leaves unanswered what the other server does not answer, and asks again later', async () => {
    let answer: Promise<Buffer> = Promise.reject(new Error('late'));
    const cache = new DnsCache({ ask: () => answer, nowMs: () => 0 });
    expect(await cache.answer(ask('www.shop.test'), 'udp')).toBeNull();
    answer = Promise.resolve(answerQuery(ask('www.shop.test'), { hosts })!);
    expect(read(await cache.answer(ask('www.shop.test'), 'udp')).answers).toHaveLength(1);
    expect(await cache.answer(Buffer.from('no'), 'udp')).toBeNull();
  });
});
