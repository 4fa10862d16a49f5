import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listExamples, readExample } from '../../support/read-example.ts';

const tests = ['browser', 'testbed'].map((kind) =>
  readFileSync(path.resolve(import.meta.dirname, `../../${kind}/examples.test.ts`), 'utf8'),
);

describe('an example', () => {
  it.each(listExamples())('is an Evaluation, and a test runs it: %s', (name) => {
    expect(readExample(name, {}).scenarios.filter(({ baseline }) => baseline)).toHaveLength(1);
    expect(tests.filter((text) => text.includes(`'${name}'`))).toHaveLength(1);
  });
});
