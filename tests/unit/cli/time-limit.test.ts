import { expect, test } from 'vitest';
import { packageRoot } from '#cli/package-root.ts';
import { runProgram } from '#cli/run-program.ts';
import { vitestProgram } from '#cli/test/run-vitest.ts';
import { startTimeLimit } from '#cli/test/time-limit.ts';

test('a run without a limit has no end, and one with a limit has', () => {
  expect(startTimeLimit(undefined).isOver()).toBe(false);
  expect(startTimeLimit(1).isOver()).toBe(false);
  expect(startTimeLimit(-1).isOver()).toBe(true);
});

test('a test that has not begun when the time is over is skipped', async () => {
  const args = [vitestProgram, 'run', '--project', 'unit', 'tests/unit/cli/tally.test.ts', '--root', packageRoot];
  const run = async (minutes: number) => {
    const { output } = await runProgram(process.execPath, args, {
      signal: AbortSignal.timeout(25_000),
      environment: { PATH: process.env.PATH, NO_COLOR: '1', ...startTimeLimit(minutes).environment },
    });
    return /^ *Tests .*$/m.exec(output)?.[0].trim();
  };
  const [late, early] = await Promise.all([run(-1), run(1)]);
  expect(early).toMatch(/^Tests +\d+ passed/);
  expect(late).toBe(early?.replace('passed', 'skipped'));
});
