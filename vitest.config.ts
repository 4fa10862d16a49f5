import { defineConfig } from 'vitest/config';

/** One project per kind of test; `./http-ae test KIND` runs `vitest --project KIND`. */
const kind = (name: string, timeoutMs: number, options: { isSequential: boolean; usesDatabase?: boolean; usesWebUi?: boolean }) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    fileParallelism: !options.isSequential,
    globalSetup: [...(options.usesDatabase ? ['tests/support/start-test-database.ts'] : []), ...(options.usesWebUi ? ['tests/support/build-test-web-ui.ts'] : [])],
  },
});

export default defineConfig({
  test: {
    projects: [
      kind('unit', 10_000, { isSequential: false }),
      kind('calibration', 600_000, { isSequential: true }),
      kind('db', 60_000, { isSequential: true, usesDatabase: true }),
      kind('browser', 180_000, { isSequential: true, usesDatabase: true }),
      kind('testbed', 300_000, { isSequential: true, usesDatabase: true }),
      kind('e2e', 300_000, { isSequential: true, usesDatabase: true, usesWebUi: true }),
    ],
  },
});
