import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Bytes that cannot be compressed, the same for the same seed. */
export function makeSeededBytes(length: number, seed = 1): Buffer {
  const generator = xoroshiro128plus(seed);
  return Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, () => generator.next()).buffer).subarray(
    0,
    length,
  );
}
