import { AppError } from '#core/app-error.ts';
import { assertNever } from '#core/assert-never.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { enterUserNamespace, mayEnterUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import { findObstacle, refuseUnprivileged } from '#testbed/namespaces/refuse-unprivileged.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import type { TestbedAction } from './testbed-options.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { checkTestbed } from './check-testbed.ts';
import { endTestbeds } from './end-testbeds.ts';
import { findJoinedController } from './find-joined-controller.ts';
import { holdInUserNamespace } from './hold-in-user-namespace.ts';
import { holdTestbed } from './hold-testbed.ts';
import { findHome } from '../find-home.ts';
import { prepareFront } from '../origin/prepare-front.ts';
import { openTestbedOrigin } from './open-testbed-origin.ts';
import type { OpenTestbed } from './open-testbed.ts';
import { openShell } from './open-shell.ts';
import { prepareTools } from './prepare-tools.ts';
import { readLinkProfile } from './read-link-profile.ts';
import { serveTestbed } from './serve-testbed.ts';
import type { TestbedOptions } from './testbed-options.ts';

/** Throws `invalid-input`, `testbed-refused` before anything was changed, `testbed-failed`, and `link-mismatch` when the link is not what it should be. */
export async function runTestbed(
  { action, profile }: { action: TestbedAction; profile: string | undefined },
  options: TestbedOptions,
): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  if (process.platform !== 'linux')
    throw new AppError('testbed-refused', `The testbed needs Linux network namespaces; this is ${process.platform}`);
  if (action === 'down') {
    await endTestbeds({ isJson: options.json === true, say });
    return;
  }

  if (profile === undefined)
    throw new AppError(
      'invalid-input',
      `"testbed ${action}" needs a link profile, such as "testbed ${action} geo-1m"; see --help`,
    );
  const link = await readLinkProfile(profile);
  await prepareTools({ say, signal });
  if (options.http3) await prepareFront({ say, signal });
  const homeFolder = findHome(process.env);
  await using controller = action === 'up' ? await findJoinedController(options, { homeFolder, say, signal }) : null;
  if ((await findObstacle()) !== null) {
    if (controller && (await mayEnterUserNamespace())) {
      await holdInUserNamespace(controller, signal);
      return;
    }
    await enterUserNamespace(); // does not return where that is allowed
  }
  await refuseUnprivileged();

  if (controller) {
    await serveTestbed(link, { ...options, controller: controller.url, token: controller.token, say, signal });
    return;
  }
  await using network = await openTestbedNetwork({ userCount: options.users, hasIpv6: options.ipv6 });
  await using backend = await openLink({ network, profile: link, backend: options.backend });
  await using resources = new AsyncDisposableStack();
  const origin =
    action === 'up' && (options.origin || options.http3)
      ? resources.use(await openTestbedOrigin(network, { homeFolder, http3: options.http3 }))
      : null;
  const testbed: OpenTestbed = { network, backend, profile: link, origin };
  signal.throwIfAborted();
  switch (action) {
    case 'up':
      await holdTestbed(testbed, { isJson: options.json === true, say, signal });
      break;
    case 'check':
      await checkTestbed(testbed, { isJson: options.json === true, say, signal });
      break;
    case 'shell':
      await openShell(testbed, { place: options.in, say, signal });
      break;
    default:
      return assertNever(action);
  }
}
