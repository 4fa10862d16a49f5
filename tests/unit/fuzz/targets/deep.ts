import fc from 'fast-check';
import { z } from 'zod';
import type { FuzzTarget } from '#tests/fuzz/support/fuzz-target.ts';
import { readWords } from './read-words.ts';

type Input = string[];

export const target: FuzzTarget<Input> = {
  schema: z.array(z.string()),
  arbitrary: fc.array(fc.constantFrom('a', 'open', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 3 }),
  run(words) {
    readWords(words);
    return [];
  },
};
