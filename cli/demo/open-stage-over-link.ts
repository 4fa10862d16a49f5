import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { asHostOrigin } from '#core/protocol/host-origin.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { joinController } from '../testbed/join-controller.ts';
import {
  evaluationOverLink,
  userNames,
  type UserSeparation,
  type StageOptions,
  type Stage,
} from './demo-evaluation.ts';
import { originFolder, startOriginInGround } from '../testbed/open-testbed-origin.ts';

/** In namespaces that this process makes. Throws `testbed-refused` where it may make none. */
export async function openStageOverLink(
  options: Omit<StageOptions, 'signal'>,
  allowed: UserSeparation,
): Promise<Stage> {
  // To HTTPEP, OS users of its own host are one user.
  const separation = options.subject === 'httpep' ? 'namespaces' : allowed;
  await using resources = new AsyncDisposableStack();
  const userCount = separation === 'namespaces' ? userNames.length : 0;
  const authorityFolder = originFolder(options.homeFolder);
  const emulated = resources.use(
    await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'geo-8m' }), userCount, authorityFolder }),
  );
  const origin = resources.use(await startOriginInGround(emulated.network, { authorityFolder }));
  const joined = resources.use(
    await joinController(emulated, { ...options, origin: asHostOrigin(origin), allowScripts: false }),
  );
  options.say(
    `Measuring over an emulated GEO satellite link (${emulated.backend})${allowed === 'namespaces' ? ', in a user namespace' : ''}`,
  );
  const stack = resources.move();
  return {
    evaluationYaml: evaluationOverLink(origin, { ...options, separation }),
    failed: joined.failed,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
