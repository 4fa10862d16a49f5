import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    webUiFolder: string;
  }
}

/** Builds the web UI once for a run of the tests, unless `./http-ae test` has done so, as a release is built: NODE_ENV of a test would bring React's development code. */
export default async function buildTestWebUi(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.HTTP_AE_TEST_BUILT) {
    project.provide('webUiFolder', path.join(import.meta.dirname, '../../web-ui/dist'));
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-web-ui-'));
  const root = path.join(import.meta.dirname, '../..');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const build = [
    vite,
    'build',
    '--config',
    path.join(root, 'web-ui/vite.config.ts'),
    '--outDir',
    folder,
    '--logLevel',
    'warn',
  ];
  await promisify(execFile)(process.execPath, build, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } });
  project.provide('webUiFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
