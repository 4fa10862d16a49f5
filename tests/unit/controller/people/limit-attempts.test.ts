import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { ClientAddresses } from '#controller/people/client-address.ts';
import { limitAttempts } from '#controller/people/limit-attempts.ts';

test('who tries to sign in while the database is away may sign in afterwards, and who guesses ten times has to wait', async () => {
  const app = express()
    .use(limitAttempts(new ClientAddresses()))
    .get('/:status', ({ params }, response) => void response.status(Number(params.status)).end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusesOf = async (status: number, times: number) => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < times; sent++)
      statuses.add((await fetch(`http://127.0.0.1:${port}/${status}`, { headers: { connection: 'close' } })).status);
    return [...statuses];
  };
  expect(await statusesOf(503, 20)).toEqual([503]);
  expect(await statusesOf(200, 20)).toEqual([200]);
  expect(await statusesOf(401, 10)).toEqual([401]);
  expect(await statusesOf(200, 1)).toEqual([500]); // as Express answers an error
  server.close();
  await once(server, 'close');
});
