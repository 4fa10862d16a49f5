import { z } from 'zod';
import { runProgram } from '../run-program.ts';
import { packageRoot } from '../package-root.ts';
import { vitestProgram } from './run-vitest.ts';
import type { Tally } from './tally.ts';
import type { VitestKind } from './test-kinds.ts';

/** Counts, without running them, the tests of a kind that cannot run on this machine, or for which no time is left. */
export async function skipKind(kind: VitestKind, signal: AbortSignal): Promise<Tally> {
  const args = [vitestProgram, 'list', '--project', `${kind}*`, '--json', '--root', packageRoot];
  const { output } = await runProgram(process.execPath, args, { signal });
  const tests = z.array(z.object({ name: z.string() })).parse(JSON.parse(output.slice(output.indexOf('['))));
  return { passed: 0, skipped: tests.length, failures: [], times: [] };
}
