import type { Logger } from 'pino';
import { asHostOrigin } from '#core/protocol/host-origin.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { joinController, type JoinedTestbed } from '../testbed/join-controller.ts';
import { openTestbedOrigin } from '../testbed/open-testbed-origin.ts';
import type { StudyBrowsers } from './refuse-unmeasurable.ts';

interface StageOptions extends StudyBrowsers {
  controllerUrl: string;
  token: string;
  homeFolder: string;
  /** Whether its Scenarios have scripts or processes: the study is the operator's own. */
  allowScripts: boolean;
  /** How many users have a network namespace each. */
  userCount: number;
  /** Whether something runs, or is captured, in the nodes of a path. */
  usesNodes: boolean;
  /** Whether the origin serves HTTP/3 too. */
  servesHttp3: boolean;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
}

/** The testbed of a study: its link, the origin in `ground`, and the Agents of both ends. */
export async function openStudyStage({ ...options }: StageOptions): Promise<JoinedTestbed> {
  await using resources = new AsyncDisposableStack();
  const emulated = resources.use(
    await openEmulatedNetwork({
      profile: resolveLinkProfile({ preset: 'none' }),
      userCount: options.userCount,
      hasNodes: options.usesNodes,
    }),
  );
  const origin = resources.use(
    await openTestbedOrigin(emulated.network, { homeFolder: options.homeFolder, http3: options.servesHttp3 }),
  );
  const { failed } = resources.use(await joinController(emulated, { ...options, origin: asHostOrigin(origin) }));
  options.say(`The emulated link is up (${emulated.backend})`);
  const stack = resources.move();
  return { failed: AbortSignal.any([failed, origin.failed]), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
