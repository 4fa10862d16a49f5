import { globSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { packageRoot } from '../installation.ts';
import { chooseTests, type TestChoice, testKinds } from '../test/choose-tests.ts';
import { readMinutes, readSeed } from './option-parsers.ts';
import type { TestOptions } from '../test/test-options.ts';

/** `test [KIND…] [FILE or WORDS…]`: the quick tests of HTTP-AE, those of some kinds, or some tests of one kind; with `--all` slow ones too. */
export function testCommand(): Command {
  return new Command('test')
    .summary('Run the tests')
    .description('Run the quick tests, or those of the kinds given. The last line is "N passed, N failed, N skipped".')
    .argument(
      '[KIND...]',
      `kinds: ${testKinds.join(', ')}. After one kind: parts of paths of test files, or words of test names`,
    )
    .option('--all', 'run the slow tests too: second engines, faults, accuracy, studies. They take an hour')
    .option('--watch', 'run the tests of one kind again after each change, until Ctrl-C')
    .option('--minutes <N>', 'how long the fuzz tests search for failing inputs (default: 0.5)', readMinutes)
    .option(
      '--seed <N>',
      'the seed of random inputs, or "random" (default: a fixed one; with --all a random one)',
      (text: string) => (text === 'random' ? text : readSeed(text)),
    )
    .option(
      '--save-corpus',
      'replace tests/fuzz/corpus, the inputs that each fuzz run starts with, by the inputs at the end of this run',
    )
    .option('--json', 'print one JSON document: { passed, failed, skipped, failures }')
    .action(async (args: string[], options: TestOptions, command: Command) => {
      const choice = readChoice(args, { options, command });
      const { runTests } = await import('../test/run-tests.ts');
      await runTests(choice, options);
    })
    .addHelpText(
      'after',
      '\nExamples:\n  http-ae test unit db\n  http-ae test unit metrics/ --watch\n  http-ae test browser conformance engine chrome\n  http-ae test fuzz --minutes 60',
    );
}

function readChoice(args: string[], { options, command }: { options: TestOptions; command: Command }): TestChoice {
  try {
    const listFiles = (kind: string) => globSync(`tests/${kind}/**/*.test.ts`, { cwd: packageRoot });
    const choice = chooseTests(args, { listFiles, all: options.all === true });
    if (options.watch && (choice.kinds.length !== 1 || choice.kinds[0] === 'lint'))
      throw new InvalidArgumentError('--watch needs one kind other than lint.');
    return choice;
  } catch (error) {
    if (error instanceof InvalidArgumentError) command.error(`error: ${error.message}`);
    throw error;
  }
}
