import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { joinController } from '../testbed/join-controller.ts';
import {
  evaluationOverLink,
  userNames,
  type UserSeparation,
  type StageOptions,
  type Stage,
} from './demo-evaluation.ts';
import { startOriginInGround } from '../testbed/start-origin-in-ground.ts';

/** In namespaces that this process makes. Throws `testbed-refused` where it may make none. */
export async function openStageOverLink(
  options: Omit<StageOptions, 'signal'>,
  allowed: UserSeparation,
): Promise<Stage> {
  // To HTTPEP, OS users of its own host are one user.
  const separation = options.subject === 'httpep' ? 'namespaces' : allowed;
  await using resources = new AsyncDisposableStack();
  const userCount = separation === 'namespaces' ? userNames.length : 0;
  const emulated = resources.use(
    await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'geo-8m' }), userCount }),
  );
  const origin = resources.use(await startOriginInGround(emulated.network));
  const joined = resources.use(await joinController(emulated, { ...options, allowScripts: false }));
  options.say(
    `Measuring over an emulated GEO satellite link (${emulated.backend})${allowed === 'namespaces' ? ', in a user namespace' : ''}`,
  );
  const stack = resources.move();
  return {
    evaluationYaml: evaluationOverLink(origin, { subject: options.subject, separation }),
    failed: joined.failed,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
