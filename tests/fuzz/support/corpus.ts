import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Failure } from './fuzz-loop.ts';
import type { TargetName } from './fuzz-target.ts';
import type { Json } from './mutate-value.ts';

const corpusFolder = path.resolve(import.meta.dirname, '../corpus');
const failureFolder = path.resolve(import.meta.dirname, '../failures');

/** The inputs that are run first: failures of earlier runs on this machine, and those in the tree, one a line. */
export function readCorpus(name: TargetName): Json[] {
  const failures = globSync(`${name}-*.json`, { cwd: failureFolder }).map((file) =>
    readFileSync(path.join(failureFolder, file), 'utf8'),
  );
  const file = fileOf(name);
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  return [...failures, ...lines].map((text) => JSON.parse(text) as Json);
}

export function saveCorpus(name: TargetName, corpus: Json[]): void {
  mkdirSync(corpusFolder, { recursive: true });
  writeFileSync(fileOf(name), corpus.map((input) => `${JSON.stringify(input)}\n`).join(''));
}

/** Returns the file, which the next run begins with. */
export function saveFailure(name: TargetName, { input }: Failure): string {
  mkdirSync(failureFolder, { recursive: true });
  const text = JSON.stringify(input);
  const file = path.join(failureFolder, `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`);
  writeFileSync(file, `${text}\n`);
  return file;
}

function fileOf(name: TargetName): string {
  return path.join(corpusFolder, `${name}.jsonl`);
}
