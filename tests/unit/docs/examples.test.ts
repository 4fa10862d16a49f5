import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readYaml } from '#controller/api/read-yaml.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';

const folder = path.resolve(import.meta.dirname, '../../../examples');

describe('an example', () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('is an Evaluation: %s', (name) => {
    expect(readYaml(readFileSync(path.join(folder, name), 'utf8'), EvaluationSchema).scenarios.filter(({ baseline }) => baseline)).toHaveLength(1);
  });
});
