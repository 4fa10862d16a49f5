import { BlockList } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { startGround, type Ground } from '#httpep/ground/start-ground.ts';
import { startRemote, type Remote } from '#httpep/remote/start-remote.ts';
import { HeldTime } from '#tests/support/held-time.ts';

export const key = Buffer.from('a key that both ends of the tests know');

/** A ground end on this machine that may fetch from it. */
export function startTestGround(options: Partial<Parameters<typeof startGround>[0]> = {}): Promise<Ground> {
  return startGround({
    host: '127.0.0.1',
    port: 0,
    key,
    scheduler: 'fair',
    weights: {},
    classOf: () => '',
    rateKbps: null,
    paceRatio: 1,
    allowPrivate: true,
    connectPorts: new Set([443]),
    trustedKeys: [],
    bundling: { widthPx: 1366, heightPx: 768, scaleRatio: 1 },
    compression: { text: 'brotli', images: null },
    onNote: () => undefined,
    ...options,
  });
}

/** A remote end for clients of this machine. Resolves when its tunnel stands. Unless the test lets time pass, nothing is late for it. */
export async function startTestRemote(
  groundPort: number,
  options: Partial<Parameters<typeof startRemote>[0]> = {},
): Promise<Remote> {
  const allowed = new BlockList();
  allowed.addSubnet('127.0.0.0', 8);
  const { promise, resolve } = Promise.withResolvers<void>();
  const remote = await startRemote({
    host: '127.0.0.1',
    port: 0,
    ground: { host: '127.0.0.1', port: groundPort },
    connectionCount: 4,
    key,
    allowed,
    passwords: null,
    leaves: null,
    time: new HeldTime(),
    onNote: (text) => {
      if (text === 'The tunnel stands') resolve();
    },
    ...options,
  });
  if (!options.onNote) await promise;
  return remote;
}

/** Both ends, for all tests of a file. They are there from its first test on. */
export function useTestPair(): { ground: Ground; remote: Remote } {
  const pair = {} as { ground: Ground; remote: Remote };
  beforeAll(async () => {
    pair.ground = await startTestGround();
    pair.remote = await startTestRemote(pair.ground.port);
  });
  afterAll(async () => {
    await pair.remote[Symbol.asyncDispose]();
    await pair.ground[Symbol.asyncDispose]();
  });
  return pair;
}
