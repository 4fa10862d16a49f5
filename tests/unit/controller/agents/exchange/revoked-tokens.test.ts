import { expect, test } from 'vitest';
import { settle } from '../../../../support/held-time.ts';
import { openPlayedExchange } from './support/open-played-exchange.ts';

test('a database that says nothing is asked once for revoked tokens, and again after its answer', async () => {
  await using played = openPlayedExchange({ others: 1 });
  const { exchange, time, database, hub } = played;
  exchange.start();
  await time.pass(60_000);
  expect(database.asked).toEqual([expect.stringContaining('revoked_at is null')]);
  await database.answer([{ id: '7' }]);
  await settle();
  expect([hub.dropped, database.asked]).toEqual([['7'], []]);
  await time.pass(2_000);
  expect(database.asked).toHaveLength(1);
  await database.answer([]);
});

test('a notice of a revoked token ends its lines here', async () => {
  await using played = openPlayedExchange({ others: 1 });
  played.listening.emit('notice', { kind: 'token', token: '9' });
  expect(played.hub.dropped).toEqual(['9']);
});

test('a Controller that is alone asks for no revoked tokens', async () => {
  await using played = openPlayedExchange({ others: 0 });
  played.exchange.start();
  played.listening.emit('open');
  await played.time.pass(60_000);
  expect(played.database.heard.filter((text) => text.includes('revoked_at'))).toEqual([]);
});
