import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** What all tests of a file, or of a group, share: opened before the first, and disposed of after the last. */
export const holdForAll = <Held extends AsyncDisposable>(open: () => Promise<Held>): Held =>
  hold(open, [beforeAll, afterAll]);

/** What each test has of its own. */
export const holdForEach = <Held extends AsyncDisposable>(open: () => Promise<Held>): Held =>
  hold(open, [beforeEach, afterEach]);

type Hook = (act: () => Promise<void>) => void;

/** Stands for what is open. Only its properties can be used, and only while a test runs. */
function hold<Held extends AsyncDisposable>(open: () => Promise<Held>, [before, after]: [Hook, Hook]): Held {
  let held: Held;
  before(async () => {
    held = await open();
  });
  after(async () => held[Symbol.asyncDispose]());
  const get = (_: object, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(held, name);
    return typeof value === 'function' ? (value.bind(held) as unknown) : value;
  };
  return new Proxy({}, { get }) as Held;
}
