import { expect, test } from 'vitest';
import { issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();

/** The path and fragment of a new one-time link. */
async function oneTimeLink(next?: string): Promise<string> {
  return signInLink('', await issueTicket(ui.controller.controller.pool), next);
}

test('a one-time link signs in, leaves the address bar at once, and continues to the page that it names', async () => {
  const page = await ui.open({ path: await oneTimeLink('/hosts'), isSignedIn: false });
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  expect(page.url()).toBe(`${ui.controller.controller.url}/sign-in`);
  // Nothing to fill in: one is signed in.
  expect(await page.getByRole('textbox').count()).toBe(0);

  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/hosts');
});

test('the place of the page is kept until its script is there', async () => {
  const page = await ui.open({ path: '/help', isSignedIn: false });
  const arriving = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await arriving.promise;
    await route.continue();
  });
  await page.goto(`${ui.controller.controller.url}/sign-in`, { waitUntil: 'commit' });
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  arriving.resolve();
  await page.getByRole('heading', { name: 'HTTP-AE' }).waitFor();
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
});

test.for(['//elsewhere.test/', 'https://elsewhere.test/', '/\\elsewhere.test', 'javascript:alert(1)'])(
  'a one-time link cannot send anybody to %s',
  async (next) => {
    const page = await ui.open({ path: await oneTimeLink(next), isSignedIn: false });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Evaluations', level: 1 }).waitFor();
    expect(page.url()).toBe(`${ui.controller.controller.url}/`);
  },
);

test('a ticket that was used is refused in words, and the form is there', async () => {
  const link = await oneTimeLink();
  await (
    await ui.open({ path: link, isSignedIn: false })
  )
    .getByRole('heading', { name: 'You are signed in' })
    .waitFor();

  const page = await ui.open({ path: link, isSignedIn: false });
  await page.getByRole('alert').getByText('This one-time link was used').waitFor();
  await page.getByLabel('Name').waitFor();
  await page.getByText('On the machine of the Controller, ./http-ae link prints one.').waitFor();
});

test('who chose a name and a password comes back with them, to the page that was wanted', async () => {
  const first = await ui.open({ path: await oneTimeLink(), isSignedIn: false });
  await first.getByRole('button', { name: 'Create an account' }).click();
  await first.getByLabel('Name').fill('grace');
  await first.getByLabel('Password', { exact: true }).fill('correct horse');
  await first.getByRole('button', { name: 'Create account' }).click();
  await first.getByRole('heading', { name: 'Evaluations', level: 1 }).waitFor();

  const later = await ui.open({ path: '/runs?tries=with#newest', isSignedIn: false });
  await later.getByLabel('Name').fill('grace');
  await later.getByLabel('Password', { exact: true }).fill('wrong horse');
  await later.getByRole('button', { name: 'Sign in' }).click();
  await later.getByRole('alert').getByText('The name or the password is wrong').waitFor();
  await later.getByLabel('Password', { exact: true }).fill('correct horse');
  await later.getByRole('button', { name: 'Sign in' }).click();
  await later.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(later.url()).toBe(`${ui.controller.controller.url}/runs?tries=with#newest`);

  await later.getByRole('button', { name: 'grace' }).click();
  await later.getByRole('menuitem', { name: 'Sign out' }).click();
  await later.getByRole('button', { name: 'Sign in' }).waitFor();
});
