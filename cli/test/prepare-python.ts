import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { findHome } from '../find-home.ts';
import { runProgram } from '../run-program.ts';

/** What reads exported files in tests, beside HTTP-AE, and a server of the S3 API. Versions are fixed: a new one is a change of ours. */
const packages = ['duckdb==2.0.1', 'moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];

/** Where these packages are: a folder for PYTHONPATH, with the name of what it holds. */
export function findTestPython(environment: NodeJS.ProcessEnv): string {
  return path.join(findHome(environment), 'test-python', packages.join('+'));
}

/** Brings the packages of Python that the `db` tests use; says what is left out where they cannot be had. */
export async function preparePython({
  say,
  signal,
}: {
  say: (line: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const folder = findTestPython(process.env);
  if (existsSync(folder)) return;
  say(`Installing ${packages.join(' and ')} with pip`);
  // An interrupted installation is not taken for a complete one.
  const draft = `${folder}.part`;
  try {
    await rm(draft, { recursive: true, force: true });
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft, ...packages];
    const { exitCode, output } = await runProgram('python3', args, { signal });
    if (exitCode !== 0) throw new Error(output.trim().slice(-300));
    await rename(draft, folder);
  } catch (error) {
    signal.throwIfAborted();
    say(`SKIPPED: the tests that need ${packages.join(' or ')}: ${(error as Error).message}`);
  }
}
