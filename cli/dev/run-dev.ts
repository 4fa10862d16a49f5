import { existsSync } from 'node:fs';
import path from 'node:path';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { demoHost, evaluationWithoutLink } from '../demo/demo-evaluation.ts';
import { findFreePort } from '../demo/find-free-port.ts';
import { findHome } from '../find-home.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { serveLiveWebUi } from './serve-live-web-ui.ts';
import { watchController } from './watch-controller.ts';

export interface DevOptions {
  port: number;
  verbose?: true;
}

const address = '127.0.0.1';

/**
 * Serves the web UI from its sources, with a Controller that restarts when its sources change, an Agent and an origin, until Ctrl-C. Its data is
 * in the folder `dev` of the home folder. The first start runs a sample Evaluation.
 */
export async function runDev({ port, verbose }: DevOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const homeFolder = path.join(findHome(process.env), 'dev');
  const isFirst = !existsSync(homeFolder);

  await using stack = new AsyncDisposableStack();
  const origin = await startOrigin();
  stack.defer(() => origin.close());
  const controllerPort = await findFreePort(address, port + 1);
  const controllerUrl = `http://${address}:${controllerPort}`;
  const webUi = stack.use(await serveLiveWebUi({ host: address, port, controllerUrl }));
  const announce = (signInUrl: string) =>
    process.stdout.write(
      `\nThe web UI is at ${webUi.url}. It reloads when its sources change. To sign in, open this link:\n\n  ${signInUrl.replace(controllerUrl, webUi.url)}\n\nPages to load: ${origin.httpUrl}\n\n`,
    );
  const controller = stack.use(
    watchController({ port: controllerPort, agentName: demoHost, homeFolder, isVerbose: verbose === true, announce }),
  );

  await Promise.race([controller.ready, untilAborted(signal)]);
  if (isFirst && !signal.aborted) await runSample(evaluationWithoutLink(origin), { homeFolder, signal });
  await Promise.race([controller.ended, untilAborted(signal)]);
  process.stderr.write('Stopping; press Ctrl-C again to end at once\n');
}

async function runSample(
  yaml: string,
  { homeFolder, signal }: { homeFolder: string; signal: AbortSignal },
): Promise<void> {
  const client = new ControllerClient(await findController({}, homeFolder), signal);
  const { id } = await client.createEvaluation(yaml);
  const { id: run } = await client.startRun(id);
  process.stderr.write(`Run ${run}, a sample, has started\n`);
}
