import { InvalidArgumentError, Option } from 'commander';
import { AssertionFault, type Assertion } from '#cli/assertions/assertion.ts';
import { readAssertion } from '#cli/assertions/read-assertion.ts';
import { showFault } from '../assertions/judge-assertion.ts';

const mostAssertions = 100;

/** What a result must be, and where the judgement is written; all need `--wait`. */
export function assertionOptions(): Option[] {
  return [
    new Option(
      '--assert <TEXT>',
      `with --wait: what the result must be, such as 'totalMs: reduction > -5%'; repeatable. See docs/ci.md`,
    )
      .argParser(readOneMore)
      .default([], 'none'),
    new Option('--fail-undecided', 'exit status 4 where the interval decides an assertion neither way'),
    new Option('--junit <FILE>', 'write the assertions as JUnit XML'),
    new Option('--markdown <FILE>', 'write the result as Markdown, such as to "$GITHUB_STEP_SUMMARY"'),
  ];
}

/** One more assertion beside those that were given before. */
export function readOneMore(text: string, earlier: Assertion[]): Assertion[] {
  if (earlier.length === mostAssertions)
    throw new InvalidArgumentError(`There can be at most ${mostAssertions} assertions.`);
  try {
    return [...earlier, readAssertion(text)];
  } catch (error) {
    if (error instanceof AssertionFault) throw new InvalidArgumentError(`\n${showFault(error)}`);
    throw error;
  }
}
