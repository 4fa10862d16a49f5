import { expect, inject } from 'vitest';
import { issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { startTestController } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openEvaluator, type EvaluatorBrowser } from './open-evaluator.ts';

export const journey =
  'an evaluator goes from an empty database to a comparison and down to a request in it, by the web UI alone';

/** The journey, with a real Agent and a real Run of two Scenarios with so many Rounds each; by default after a warm-up Block. */
export async function makeJourney(
  browser: EvaluatorBrowser,
  { rounds, warmsUp = true }: { rounds: number; warmsUp?: boolean },
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const origin = stack.adopt(await startOrigin(), (it) => it.close());
  const { controller } = stack.use(await startTestController({ webUiFolder: inject('webUiFolder') }));
  const link = signInLink(controller.url, await issueTicket(controller.pool));
  const evaluator = stack.use(await openEvaluator(browser, link));

  await evaluator.press('button', 'Create an account');
  await evaluator.fill('Name', 'grace');
  await evaluator.fill('Password', 'correct horse');
  await evaluator.press('button', 'Create account');
  await evaluator.see('heading', 'Start with a question');

  await evaluator.press('link', 'Hosts');
  await evaluator.press('button', 'Add a host');
  await evaluator.fill('Name of the host', 'laptop');
  await evaluator.press('button', 'Create a token');
  await evaluator.seeText('Waiting for laptop to connect');
  const home = stack.use(await makeTemporaryFolder());
  // What the dialog has is pasted into a terminal: a shell takes it apart.
  const [launcher, ...args] = (await evaluator.read('[role="dialog"] code'))
    .split(' ')
    .map((word) => word.replace(/^'(.*)'$/, '$1'));
  expect(launcher).toBe('./http-ae');
  stack.use(new CliProcess(args, { HOME: home.path, HTTP_AE_HOME: home.path, HTTP_AE_CHROME: findChrome() }));
  await evaluator.seeText('laptop is connected');
  await evaluator.press('link', 'New Evaluation');
  await evaluator.seeNoMore('[role="dialog"]');

  await evaluator.fill('Addresses of the pages', `${origin.httpUrl}/images/3`);
  await evaluator.press('button', 'Create draft');
  await evaluator.fill('Rounds of each Scenario', String(rounds));
  if (!warmsUp) await evaluator.press('switch', 'Warm-up Block first');
  await evaluator.press('button', 'Save and run');

  await evaluator.seeText('completed');
  await evaluator.press('link', 'Comparison');
  await expect
    .poll(() => evaluator.read('table[aria-label="Latency by URL and Scenario"]'), { timeout: 60_000 })
    .toMatch(/images\/3\s[^]*\d\sms/);

  await evaluator.pressFirst('main a[href^="/runs/"]');
  await evaluator.press('link', 'Visits');
  await evaluator.pressFirst('table[aria-label="Visits"] tbody a');
  await expect
    .poll(() => evaluator.read('table[aria-label="Requests"]'), { timeout: 60_000 })
    .toMatch(/image-1\b[^]*\b200\b/);
  expect(evaluator.complaints).toEqual([]);
}
