import { removeAbandonedRules } from '#agent/users/remove-abandoned-rules.ts';
import { prepareUser, type UserSettings } from '#agent/users/prepare-user.ts';
import { openSession } from '../../browser/support/open-session.ts';
import { visit } from '../../browser/support/visit-for-snapshot.ts';

/**
 * What an Agent does with its users, each with a browser: they visit their pages at the same time, and the outcomes are printed. With
 * `hold` it says that it is ready and waits to be killed instead.
 */
const order = JSON.parse(process.argv[2]!) as { users: (UserSettings & { url: string })[]; hold?: true };
await removeAbandonedRules();
await using stack = new AsyncDisposableStack();
const visits: (() => ReturnType<typeof visit>)[] = [];
for (const { url, ...settings } of order.users) {
  const user = stack.use(await prepareUser(settings));
  const session = stack.use(
    await openSession({ pageLoad: { restMs: 0, quietMs: 100 }, ...(user.osUser && { osUser: user.osUser }) }),
  );
  await session.prepare();
  visits.push(() => visit(session, url));
}
if (order.hold) {
  console.log('ready');
  await new Promise(() => setInterval(() => undefined, 60_000));
}
const outcomes = await Promise.all(visits.map((start) => start()));
console.log(
  JSON.stringify(outcomes.map((outcome) => (outcome.status === 'ok' ? 'ok' : `${outcome.code}: ${outcome.detail}`))),
);
