import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readStudies, studiesFolder, writeEvaluation as writePart } from '#controller/studies/read-studies.ts';
import { EvaluationDocumentSchema } from '#core/evaluation/evaluation-document.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import { readPath, type Path } from '#web-ui/src/pages/evaluation/editor/path.ts';
import { writeEvaluation } from '#web-ui/src/pages/evaluation/editor/write-evaluation.ts';

const examples = path.resolve(import.meta.dirname, '../../../examples');
const studies = await readStudies(studiesFolder);
const texts = [
  ...globSync('*.yaml', { cwd: examples }).map((file) => readFileSync(path.join(examples, file), 'utf8')),
  ...(await Promise.all(
    studies.map((study) => writePart(study, study.parts[0]!, valuesOf(study, study.parts[0]!, { isQuick: true }))),
  )),
];
const documents = texts.map((text) => parse(text) as unknown);

function listPlaces(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const below = Object.entries(value).map(([key, each]) =>
    listPlaces(each, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return [at, ...below.flat()];
}

/** One place of each kind: entries of a list are alike. */
const places = new Map(
  documents.flatMap((document) =>
    listPlaces(document).map((place) => {
      const kind = place.map((step) => (typeof step === 'number' ? '#' : step)).join('.');
      return [kind, { document, place }] as const;
    }),
  ),
);

function replace(document: unknown, place: Path, value: unknown): unknown {
  if (place.length === 0) return value;
  const changed = structuredClone(document);
  const holder = readPath(changed, place.slice(0, -1)) as Record<PropertyKey, unknown>;
  holder[place.at(-1)!] = value;
  return changed;
}

test('a value of another kind anywhere in an Evaluation is refused in words, or means what is written of it', () => {
  let accepted = 0;
  for (const { document, place } of places.values())
    for (const value of [null, '', [null], {}]) {
      const { data, error } = EvaluationDocumentSchema.safeParse(replace(document, place, value));
      if (error) expect(error.issues[0]!.message).not.toBe('');
      if (!data) continue;
      accepted++;
      expect(EvaluationDocumentSchema.parse(parse(writeEvaluation(data)))).toEqual(data);
    }
  expect(places.size).toBeGreaterThan(150);
  expect(accepted).toBeGreaterThan(15);
});
