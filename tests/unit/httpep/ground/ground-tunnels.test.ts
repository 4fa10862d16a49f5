import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { GroundTunnels } from '#httpep/ground/ground-tunnels.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { key } from '../support/start-pair.ts';

function start() {
  const time = new HeldTime();
  const tunnels = new GroundTunnels(
    {
      ...{ key, scheduler: 'fair', weights: {}, classOf: () => '', rateKbps: null, paceRatio: 1, allowPrivate: true },
      ...{ connectPorts: 'all', trustedKeys: [], bundling: null, compression: { text: null, images: null }, time },
    },
    () => undefined,
  );
  const attach = (session = tunnels.findSession('a')) => {
    const [socket] = duplexPair();
    tunnels.attach(socket, { name: 'a', slot: 0, session });
    return socket;
  };
  return { time, tunnels, attach, [Symbol.dispose]: () => tunnels[Symbol.dispose]() };
}

test('a tunnel whose only connection was replaced by another one stays', async () => {
  using ground = start();
  const first = ground.attach();
  ground.attach();
  await once(first, 'close');
  await ground.time.pass(60_000);
  expect(ground.tunnels.list()).toMatchObject([{ name: 'a', tunnel: { connectionCount: 1 } }]);
});

test('a connection is refused whose tunnel was forgotten while it greeted: its remote end would wait for what is lost', async () => {
  using ground = start();
  const session = ground.tunnels.findSession('a');
  const socket = ground.attach(session).destroy();
  await once(socket, 'close');
  await ground.time.pass(60_000);
  expect(() => ground.attach(session)).toThrow('Its tunnel was forgotten meanwhile');
  ground.attach();
  expect(ground.tunnels.list()).toHaveLength(1);
});
