import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupScenarios } from '#core/evaluation/scenarios/scenario-groups.ts';
import { listExamples, readExample } from '../../support/read-example.ts';

const tests = ['browser/examples', 'testbed/examples', 'testbed/geo-examples'].map((name) =>
  readFileSync(path.resolve(import.meta.dirname, `../../${name}.slow.test.ts`), 'utf8'),
);

describe('an example', () => {
  it.each(listExamples())('is an Evaluation, and a test runs it: %s', (name) => {
    const { scenarios } = readExample(name, {});
    expect(groupScenarios(scenarios).length).toBe(scenarios.filter(({ baseline }) => baseline).length);
    expect(tests.filter((text) => text.includes(`'${name}'`))).toHaveLength(1);
  });
});
