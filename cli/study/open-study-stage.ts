import type { Logger } from 'pino';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { startOriginInGround } from '../demo/start-origin-in-ground.ts';
import { joinController, type JoinedTestbed } from '../testbed/join-controller.ts';
import type { StudyBrowsers } from './refuse-unmeasurable.ts';

interface StageOptions extends StudyBrowsers {
  controllerUrl: string;
  token: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
}

/** What the Evaluations of studies name: `http://198.19.0.1:8080`, and so on. Nothing else is in `ground`. */
const originPorts = { http: 8080, https: 8444, http2: 8443, crossOrigin: 8081 };

/** The testbed of a study: its link, the origin in `ground`, and the Agents of both ends. */
export async function openStudyStage({ ...options }: StageOptions): Promise<JoinedTestbed> {
  await using resources = new AsyncDisposableStack();
  const emulated = resources.use(await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));
  resources.use(await startOriginInGround(emulated.network, { ports: originPorts }));
  const { failed } = resources.use(await joinController(emulated, { ...options, allowScripts: false }));
  options.say(`The emulated link is up (${emulated.backend})`);
  const stack = resources.move();
  return { failed, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
