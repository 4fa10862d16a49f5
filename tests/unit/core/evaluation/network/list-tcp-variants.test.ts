import { expect, test } from 'vitest';
import { NetworkSchema, listTcpVariants } from '#core/evaluation/network/network.ts';

test('the TCP variants of a network are those of its ends and of its transport PEP, each once', () => {
  const network = NetworkSchema.parse({
    link: 'geo-1m',
    path: { terrestrial: 'cable' },
    tcp: { ground: { congestionControl: 'cubic' }, remote: { congestionControl: 'cubic' } },
    tcpPep: { at: ['gateway'], congestionControl: 'hybla' },
  });
  expect(listTcpVariants(network)).toEqual(['cubic', 'hybla']);
  expect(listTcpVariants(NetworkSchema.parse({ link: 'geo-1m' }))).toEqual([]);
});
