import type { ReplayedPage } from '../metrics/snapshot.ts';

/**
 * By how much the clock of its scripts is moved. Read just before the page is ordered: then the page's navigation begins at the recorded instant, to some milliseconds, and all its frames and
 * workers have one clock.
 */
export function readShiftMs({ recordedEpochMs }: ReplayedPage, nowEpochMs: number): number {
  return Math.round(recordedEpochMs - nowEpochMs);
}

/**
 * The script that gives a replayed page, each frame and worker of it, the date of its recording, and the same random numbers in each Visit. It has to run before any script of them.
 * `shiftMs`: the number, or an expression whose value it is.
 *
 * - `Date` is shifted, and runs on. `performance` is real.
 * - `Math.random()`, `crypto.getRandomValues()` and `crypto.randomUUID()` begin with a seed that comes from the address of the document or worker.
 */
export function writeReplayedPageScript(shiftMs: number | string): string {
  return replayedPageScript.replace('SHIFT_MS', String(shiftMs));
}

/**
 * As text, as it runs in worlds that have no modules, and its functions may not refer to anything here. Proxies of the built-in functions look and print as these do.
 * Random numbers are those of sfc32, https://pracrand.sourceforge.net/RNG_engines.txt, seeded by FNV-1a.
 */
const replayedPageScript = `(() => {
  const shiftMs = SHIFT_MS;
  const { apply, construct } = Reflect;
  const replace = (owner, name, handler) => {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (property) Object.defineProperty(owner, name, { ...property, value: new Proxy(property.value, handler) });
  };

  const RealDate = Date;
  const readReal = RealDate.now;
  const now = () => readReal() + shiftMs;
  replace(RealDate, 'now', { apply: now });
  replace(globalThis, 'Date', {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, made) => construct(target, values.length === 0 ? [now()] : values, made),
  });
  RealDate.prototype.constructor = Date;

  const words = new Uint32Array([0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]);
  let hash = 0x811c9dc5;
  for (const character of String(location.href)) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  words[0] ^= hash;
  const nextWord = () => {
    const sum = (words[0] + words[1] + words[3]++) >>> 0;
    words[0] = words[1] ^ (words[1] >>> 9);
    words[1] = words[2] + (words[2] << 3);
    words[2] = ((words[2] << 21) | (words[2] >>> 11)) + sum;
    return sum;
  };
  for (let round = 0; round < 12; round++) nextWord();
  replace(Math, 'random', { apply: () => ((nextWord() >>> 5) * 0x4000000 + (nextWord() >>> 6)) / 0x20000000000000 });
  const fill = (bytes) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = nextWord();
  };
  if (typeof Crypto === 'undefined') return;
  replace(Crypto.prototype, 'getRandomValues', {
    apply: (target, self, values) => {
      const array = apply(target, self, values);
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    },
  });
  replace(Crypto.prototype, 'randomUUID', {
    apply: (target, self, values) => {
      apply(target, self, values);
      const bytes = new Uint8Array(16);
      fill(bytes);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  });
})();`;
