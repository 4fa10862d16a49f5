import { expect, test } from 'vitest';
import { evaluateFormula, FormulaSchema } from '#core/study/formula.ts';

const link = { rttMs: 600, forwardKbps: 2048, returnKbps: null };

test.each([
  ['42', 42],
  ['rttMs', 600],
  ['1.05 * rttMs + 5', 635],
  ['5 + rttMs * 2 / 4 - 1', 304],
  ['(rttMs + 40)*2/(3-1)', 640],
  ['-rttMs + - -600', 0],
  [' 8 * 512 / forwardKbps ', 2],
])('%s is calculated as it is read', (text, value) => {
  expect(FormulaSchema.parse(text)).toBe(text);
  expect(evaluateFormula(text, link)).toBe(value);
});

test('what is not known of a link, and what no number is, has no value', () => {
  expect(evaluateFormula('returnKbps / 2', link)).toBeNull();
  expect(evaluateFormula('1 / (rttMs - 600)', link)).toBeNull();
});

test.each([
  ['', 'its end must be a number or one of rttMs, forwardKbps, returnKbps'],
  ['2 *', 'its end must be a number'],
  ['2 rttMs', '"rttMs" must be one of + - * /'],
  ['delayMs', '"delayMs" must be a number or one of rttMs'],
  ['constructor', '"constructor" must be a number'],
  ['(1', 'lacks a ")"'],
  ['1 ; 2', '";" is no part of a formula'],
  ['('.repeat(201), 'must have at most 200 characters'],
])('"%s" is refused: %s', (text, message) => {
  expect(FormulaSchema.safeParse(text).error?.issues[0]?.message).toContain(message);
});
