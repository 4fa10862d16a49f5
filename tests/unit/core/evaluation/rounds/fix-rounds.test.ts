import { expect, test } from 'vitest';
import { fixRounds, RepetitionSchema } from '#core/evaluation/rounds/repetition.ts';

test('a pilot has a fixed number of Rounds, and all else of the Evaluation', () => {
  const adaptive = RepetitionSchema.parse({ adaptive: { target: { halfWidthRatio: 0.05 } }, warmUp: false });
  expect(adaptive.adaptive).toBeDefined();
  expect(fixRounds(adaptive, 3)).toEqual({ order: 'random-blocks', warmUp: false, attempts: 3, rounds: 3 });
  expect(RepetitionSchema.safeParse(fixRounds(adaptive, 3)).success).toBe(true);
  expect(fixRounds(RepetitionSchema.parse({ rounds: 20 }), 3).rounds).toBe(3);
});
