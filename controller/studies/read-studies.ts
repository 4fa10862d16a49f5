import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { decodeText } from '#core/input/decode-text.ts';
import { listIssues, parseYaml } from '#core/input/parse-yaml.ts';
import { fillValues } from '#core/study/fill-values.ts';
import { StudySchema, type Study, type StudyPart, type StudyValues } from '#core/study/study-definition.ts';
import type { z } from 'zod';

/** Where the studies are that come with HTTP-AE. */
export const studiesFolder = path.resolve(import.meta.dirname, '../../studies');

/** A study with the folder that it is in. */
export interface StoredStudy extends Study {
  name: string;
  folder: string;
}

/** The studies of a folder, each a folder in it, by name. Throws `invalid-input`, with file and line, for one that is wrong. */
export async function readStudies(folder: string): Promise<StoredStudy[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(names.sort().map((name) => readStudy(folder, name)));
}

async function readStudy(parent: string, name: string): Promise<StoredStudy> {
  const folder = path.join(parent, name);
  const file = path.join(folder, 'study.yaml');
  return { ...parse(decodeText(await readFile(file), file), StudySchema, file), name, folder };
}

/** The Evaluation of a part as a text, with its values filled in. Throws `invalid-input` where it is no Evaluation then. */
export async function writeEvaluation(
  { folder }: StoredStudy,
  { evaluation }: StudyPart,
  values: StudyValues,
): Promise<string> {
  const file = path.join(folder, evaluation);
  const template = decodeText(await readFile(file), file);
  let text: string;
  try {
    text = fillValues(template, values);
  } catch (cause) {
    throw new AppError('invalid-input', `${file}: ${(cause as Error).message}`, { cause });
  }
  parse(text, EvaluationSchema, file);
  return text;
}

function parse<Schema extends z.ZodType>(text: string, schema: Schema, file: string): z.output<Schema> {
  const parsed = parseYaml(text, schema);
  if (parsed.kind === 'valid') return parsed.value;
  throw new AppError('invalid-input', listIssues(file, parsed.issues));
}
