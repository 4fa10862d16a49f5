import { globSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { packageRoot } from '../package-root.ts';
import { chooseTests, type TestChoice } from '../test/choose-tests.ts';
import { testKinds } from '../test/test-kinds.ts';
import { readMinutes, readSeed } from './option-parsers.ts';
import type { TestOptions } from '../test/test-options.ts';

/** `test [KIND…] [FILE or WORDS…]`: all tests of HTTP-AE, those kinds, or some tests of one kind. */
export function testCommand(): Command {
  return new Command('test')
    .summary('Run the tests')
    .description('Run all tests, or the kinds given. The last line is "N passed, N failed, N skipped".')
    .argument(
      '[KIND...]',
      `kinds: ${testKinds.join(', ')}. After one kind: parts of paths of test files, or words of test names`,
    )
    .option('--watch', 'run the tests of one kind again after each change, until Ctrl-C')
    .option('--minutes <N>', 'how long the fuzz tests search for failing inputs (default: 0.5)', readMinutes)
    .option('--seed <N>', 'repeat the inputs of an earlier fuzz run, as far as the time allows', readSeed)
    .option(
      '--save-corpus',
      'replace tests/fuzz/corpus, the inputs that each fuzz run starts with, by the inputs at the end of this run',
    )
    .option(
      '--within <N>',
      'skip the tests that have not begun after N minutes, and count them as skipped (default: no limit)',
      readMinutes,
    )
    .option('--json', 'print one JSON document: { passed, failed, skipped, failures }')
    .action(async (args: string[], options: TestOptions, command: Command) => {
      const choice = readChoice(args, { isWatching: options.watch === true, command });
      const { runTests } = await import('../test/run-tests.ts');
      await runTests(choice, options);
    })
    .addHelpText(
      'after',
      '\nExamples:\n  http-ae test unit db\n  http-ae test unit metrics/ --watch\n  http-ae test browser conformance engine chrome\n  http-ae test fuzz --minutes 60',
    );
}

function readChoice(args: string[], { isWatching, command }: { isWatching: boolean; command: Command }): TestChoice {
  try {
    const choice = chooseTests(args, (kind) => globSync(`tests/${kind}/**/*.test.ts`, { cwd: packageRoot }));
    if (isWatching && (choice.kinds.length !== 1 || choice.kinds[0] === 'lint'))
      throw new InvalidArgumentError('--watch needs one kind other than lint.');
    return choice;
  } catch (error) {
    if (error instanceof InvalidArgumentError) command.error(`error: ${error.message}`);
    throw error;
  }
}
