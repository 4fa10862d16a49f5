import path from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../package-root.ts';
import type { Tally, TestFailure } from './tally.ts';

/** What vitest's JSON reporter writes, as far as it is read here. */
const VitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

/** A test that neither passed nor failed counts as skipped; a file that failed without a failing test is a failure of its own. */
export function readVitestReport(kind: string, report: unknown): Tally {
  const tally: Tally = { passed: 0, skipped: 0, failures: [], times: [] };
  for (const file of VitestReportSchema.parse(report).testResults) {
    const place = `${kind}: ${path.relative(packageRoot, file.name)}`;
    const failures: TestFailure[] = [];
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (status === 'passed') tally.passed += 1;
      else if (status === 'failed')
        failures.push({ name: `${place}: ${fullName}`, message: (failureMessages ?? []).join('\n') });
      else tally.skipped += 1;
    }
    if (file.status === 'failed' && failures.length === 0)
      failures.push({ name: place, message: file.message || 'the file could not be run' });
    tally.failures.push(...failures);
    tally.times.push({ name: place, tookMs: file.endTime - file.startTime });
  }
  return tally;
}
