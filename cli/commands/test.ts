import { Argument, Command } from 'commander';
import { testKinds, type TestKind } from '../test/test-kinds.ts';

export interface TestOptions {
  json?: true;
  verbose?: true;
}

/** `test [KIND…]`: all tests of HTTP-AE, or those kinds. */
export function testCommand(): Command {
  return new Command('test')
    .description('Run all tests, or those kinds. The last line is "N passed, N failed, N skipped".')
    .addArgument(new Argument('[KIND...]', 'lint counts as two tests: types (tsc) and style (eslint)').choices(testKinds))
    .option('--json', 'print one JSON document: { passed, failed, skipped, failures }')
    .action(async (kinds: TestKind[], options: TestOptions) => {
      const { runTests } = await import('../test/run-tests.ts');
      await runTests(kinds.length > 0 ? kinds : [...testKinds], options);
    });
}
