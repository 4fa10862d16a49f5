import { expect } from 'vitest';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ask } from './ask.ts';
import { startMixingRelay } from './mixing-relay.ts';
import { startRandomSite } from './random-site.ts';
import { startTestGround, startTestRemote } from './start-pair.ts';

const seed = 20_261_125;

function makeRandom(from: number): () => number {
  const generator = xoroshiro128plus(from);
  return () => (generator.next() >>> 0) / 2 ** 32;
}

/** Loads random pages by connections that overtake each other, and expects each object to be what it is directly. */
export async function compareRandomPages(size: { pageCount: number; objectCount: number }): Promise<void> {
  const random = makeRandom(seed);
  await using site = await startRandomSite(random, size);
  await using ground = await startTestGround();
  await using relay = await startMixingRelay(ground.port, makeRandom(seed + 1));
  await using remote = await startTestRemote(relay.port);
  let count = 0;
  for (const { url, objects } of site.pages) {
    const page = await ask(url, { headers: { accept: 'text/html' } }, remote.port);
    expect(page).toEqual(await ask(url, { headers: { accept: 'text/html', 'x-direct': '1' } }));
    const waiting = objects.toSorted(() => random() - 0.5);
    const load = async () => {
      for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
        const proxied = await ask(object, { headers: { referer: url } }, remote.port);
        expect(proxied, `${object}, seed ${seed}`).toEqual(await ask(object, { headers: { 'x-direct': '1' } }));
        count += 1;
      }
    };
    await Promise.all([load(), load(), load(), load(), load(), load()]);
  }
  expect(count).toBeGreaterThanOrEqual(size.pageCount * size.objectCount);
  const { promised, used, unused } = remote.pushes;
  // What varies by what the test's client sends otherwise than a browser is asked for again.
  expect(used).toBeGreaterThan(0.7 * promised);
  // What was asked for before it was promised is still held.
  expect(used + unused).toBeLessThanOrEqual(promised);
}
