import { expect, test } from 'vitest';
import type { RoundsProposal } from '#core/protocol/api/rounds-proposal.ts';
import { describeGoal, prefillRounds } from '#web-ui/src/components/run/next-steps.tsx';

const proposal: RoundsProposal = {
  refusal: null,
  blocks: 6,
  rounds: 106,
  isEnough: true,
  decided: null,
  goal: { of: 'reduction', halfWidth: 0.05 },
  blockMs: 28_000,
  warmUp: false,
  confidence: 0.95,
  confidenceNow: 0.95,
  confidenceThen: 0.994,
  isDeclared: false,
  changes: [],
};
const decided = { ...proposal, decided: 'HTTP/2 takes 41 % less time (25–53 %)' };
const target: RoundsProposal = { ...decided, goal: { of: 'mean-ratio', halfWidth: 0.05 } };

test('Rounds are filled in where the question or a declared target needs them, and not where it is decided', () => {
  expect([proposal, decided, target].map(prefillRounds)).toEqual([106, '', 106]);
});

test('a decided result says so, and what more Rounds would still do', () => {
  expect(describeGoal(proposal)).toMatch(/^The Run has 6\sBlocks\. By their variation, 106\smore Rounds/);
  expect(describeGoal(decided)).toMatch(
    /^The result is decided: HTTP\/2 takes 41 % less time \(25–53 %\)\. No more Rounds are needed.*106\smore Rounds.*± 5\.0\s%.*About 49 min/,
  );
  expect(describeGoal(target)).toContain('the target of this Evaluation');
});
