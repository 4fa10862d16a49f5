import { Argument, Command } from 'commander';
import { testKinds, type TestKind } from '../test/test-kinds.ts';
import { readMinutes } from './read-minutes.ts';
import { readSeed } from './read-seed.ts';

export interface TestOptions {
  json?: true;
  minutes?: number;
  seed?: number;
  saveCorpus?: true;
  verbose?: true;
}

/** `test [KIND…]`: all tests of HTTP-AE, or those kinds. */
export function testCommand(): Command {
  return new Command('test')
    .description('Run all tests, or those kinds. The last line is "N passed, N failed, N skipped".')
    .addArgument(new Argument('[KIND...]', 'lint counts as two tests: types (tsc) and style (eslint)').choices(testKinds))
    .option('--minutes <N>', 'how long the tests of kind fuzz look for inputs that break a promise (default: 0.5)', readMinutes)
    .option('--seed <N>', 'make the inputs of an earlier run of fuzz again, as far as the time allows', readSeed)
    .option('--save-corpus', 'replace the inputs in tests/fuzz/corpus, which each run of fuzz begins with, by what this run ends with')
    .option('--json', 'print one JSON document: { passed, failed, skipped, failures }')
    .action(async (kinds: TestKind[], options: TestOptions) => {
      const { runTests } = await import('../test/run-tests.ts');
      await runTests(kinds.length > 0 ? kinds : [...testKinds], options);
    })
    .addHelpText('after', '\nExamples:\n  http-ae test unit db\n  http-ae test fuzz --minutes 60');
}
