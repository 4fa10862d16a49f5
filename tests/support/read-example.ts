import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readYaml } from '#controller/http/build-router.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';

const folder = path.resolve(import.meta.dirname, '../../examples');

/** What a reader replaces by the key of the origin, as its comments say. */
export const keyToReplace = `${'A'.repeat(43)}=`;

export const listExamples = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();

export const readExampleText = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

/**
 * An example as it is run by a test: as it stands, but with what its reader is asked to write, `replaced`, with one Round of each Scenario, without a warm-up, and with
 * so many tries as a busy machine needs.
 */
export function readExample(name: string, replaced: Record<string, string>): Evaluation {
  let text = readExampleText(name);
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  const evaluation = readYaml(text, EvaluationSchema);
  return { ...evaluation, repetition: { ...evaluation.repetition, rounds: 1, warmUp: false, attempts: 4 } };
}
