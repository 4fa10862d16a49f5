import { expect, test } from 'vitest';
import {
  readCombination,
  readCombinations,
  readScenarioVariables,
  readValues,
  writeCombination,
  writeCombinations,
  writeScenarioVariables,
  writeValues,
} from '#web-ui/src/pages/evaluation/sections/variables/swept-text.ts';

test('values of a sweep are read as they are written, those that look like others in quotes', () => {
  const values = [256, 0.5, -1, true, 'true', '256', 'direct', 'a, b', 'x|y', 'say "a"', ' b', 'C:\\temp', 'a\\,"b'];
  expect(readValues(writeValues(values))).toEqual(values);
  expect(writeValues([256, 500, 'direct', '256'])).toBe('256, 500, direct, "256"');
  expect(readValues(' 256,direct , ,true')).toEqual([256, 'direct', true]);
  expect(readValues('')).toEqual([]);
  expect(readValues('"unfinished, 5')).toEqual(['"unfinished, 5']);
});

test('a sweep without values has an empty field, and a single value is one of a list', () => {
  expect([undefined, null, [], 5, 'a, b'].map(writeValues)).toEqual(['', '', '', '5', '"a, b"']);
});

test('combinations are read as they are written, several values of a variable too', () => {
  const combinations = [{ rateKbps: [1000, 2000], mode: 'a=b' }, { mode: 'reno, slow' }];
  expect(writeCombinations(combinations)).toBe('rateKbps=1000|2000, mode=a=b\nmode="reno, slow"');
  expect(readCombinations(writeCombinations(combinations))).toEqual(combinations);
  expect(readCombination(writeCombination({ mode: 'direct' }))).toEqual({ mode: 'direct' });
  // Validation says what it must be.
  expect(readCombinations('rateKbps')).toEqual(['rateKbps']);
  expect(writeCombinations(['rateKbps'])).toBe('rateKbps');
});

test('variables of a Scenario have a line each, and texts that look like numbers stay texts', () => {
  const variables = {
    origin: 'https://198.19.0.1:8443/?a=1,2',
    rateKbps: 256,
    port: '8080',
    on: 'true',
    quoted: '"x"',
  };
  expect(writeScenarioVariables(variables)).toContain(
    'origin=https://198.19.0.1:8443/?a=1,2\nrateKbps=256\nport="8080"',
  );
  expect(readScenarioVariables(writeScenarioVariables(variables))).toEqual(variables);
  expect(readScenarioVariables('origin')).toBe('origin');
});
