import { AppError } from '#core/app-error.ts';
import { maximumIssues } from '#core/input/describe-issues.ts';
import type { Problem } from '#core/protocol/api/problem.ts';

/** Bad input, with every field that is wrong. */
export class InvalidInputError extends AppError {
  readonly issues: Problem['issues'];

  constructor(message: string, issues: Problem['issues'] = []) {
    super('invalid-input', message);
    this.name = 'InvalidInputError';
    this.issues = issues;
  }
}

/** The error for a document in which these fields are wrong. */
export function refuseInput(what: string, issues: Problem['issues']): InvalidInputError {
  const first = issues[0]!;
  const place = [first.line === null ? '' : `line ${first.line}`, first.path].filter(Boolean).join(', ');
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new InvalidInputError(
    `The ${what} is invalid: ${place ? `${place}: ` : ''}${first.message}${others}`,
    issues.slice(0, maximumIssues),
  );
}
