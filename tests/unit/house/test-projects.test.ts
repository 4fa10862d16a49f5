import { globSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { testVariables } from '#cli/test/test-options.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const ProjectSchema = z.object({
  test: z.object({ name: z.string(), include: z.array(z.string()), exclude: z.array(z.string()) }),
});
const ConfigSchema = z.object({ default: z.object({ test: z.object({ projects: z.array(ProjectSchema) }) }) });

afterEach(() => {
  vi.unstubAllEnvs();
});

test('every test file is run by one project, the slow ones with --all', async () => {
  vi.stubEnv(testVariables.all, '1');
  const { projects } = ConfigSchema.parse(await import(path.join(root, 'vitest.config.ts'))).default.test;
  const projectsOf = new Map(
    globSync('tests/**/*.test.ts', { cwd: root }).map((file): [string, string[]] => [file, []]),
  );
  for (const {
    test: { name, include, exclude },
  } of projects) {
    const files = globSync(include, { cwd: root, exclude });
    expect(files, `files of ${name}`).not.toEqual([]);
    for (const file of files) projectsOf.get(file)?.push(name);
  }
  expect([...projectsOf].filter(([, names]) => names.length !== 1)).toEqual([]);
});
