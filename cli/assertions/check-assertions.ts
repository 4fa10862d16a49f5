import { AppError } from '#core/app-error.ts';
import { listAssertedScenarios, type ComparedScenarios } from '#cli/assertions/asserted-scenarios.ts';
import { AssertionFault, type Assertion } from '#cli/assertions/assertion.ts';

/** Looks for names that the Evaluation does not have before hours are spent on a Run. Throws `invalid-input`; `state` says what was done so far. */
export function checkAssertions(assertions: readonly Assertion[], compared: ComparedScenarios, state: string): void {
  for (const assertion of assertions) {
    try {
      listAssertedScenarios(assertion, compared);
    } catch (error) {
      if (!(error instanceof AssertionFault)) throw error;
      throw new AppError('invalid-input', `--assert cannot be checked:\n${showFault(error)}\n${state}`, {
        cause: error,
      });
    }
  }
}

/** The assertion with a mark below what is wrong, and the message. */
export function showFault({ message, text, place }: AssertionFault): string {
  const plain = text.replaceAll(/[\s\p{Cc}]/gu, ' ');
  return `  ${plain}\n  ${' '.repeat(place)}^\n${message}`;
}
