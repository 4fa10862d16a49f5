import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
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

test('right passwords at the same time lock nobody out, and wrong ones at the same time are no more than the limit', async () => {
  const held: (() => void)[] = [];
  let arrived = 0;
  const app = express()
    .use((_request, _response, next) => {
      arrived++;
      next();
    })
    .use(limitAttempts(new ClientAddresses()))
    .get('/:status', async ({ params }, response) => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
      });
      response.status(Number(params.status)).end();
    });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusesOf = async (status: number, times: number) => {
    const statuses: number[] = [];
    arrived = 0;
    const sent = Array.from({ length: times }, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/${status}`, { headers: { connection: 'close' } });
      statuses.push(answer.status);
    });
    while (statuses.length < times) {
      await setImmediate();
      expect(held.length).toBeLessThanOrEqual(10);
      // None is answered before all have come, and as many as may are under way.
      if (arrived === times && held.length === Math.min(10, times - statuses.length))
        for (const resolve of held.splice(0)) resolve();
    }
    await Promise.all(sent);
    return statuses.sort((a, b) => a - b);
  };
  expect(await statusesOf(200, 30)).toEqual(Array(30).fill(200));
  expect(await statusesOf(401, 30)).toEqual([...Array<number>(10).fill(401), ...Array<number>(20).fill(500)]);
  server.close();
  await once(server, 'close');
});
