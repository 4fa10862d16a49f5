import { AppError } from '#core/app-error.ts';
import { mayEnterUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import { findObstacle } from '#testbed/namespaces/refuse-unprivileged.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { prepareTools } from '../testbed/prepare-tools.ts';
import { demoHost, evaluationWithoutLink } from './demo-evaluation.ts';
import { openStageInUserNamespace } from './open-stage-in-user-namespace.ts';
import { openStageOverLink } from './open-stage-over-link.ts';
import type { StageOptions, Stage } from './stage.ts';

/** Over the emulated link where this machine allows one, as root or in a user namespace; else on loopback, which it prints. */
export async function openDemoStage(options: StageOptions): Promise<Stage> {
  const { say, signal } = options;
  try {
    if (process.platform !== 'linux') throw new AppError('testbed-refused', 'it needs Linux network namespaces');
    await prepareTools({ say, signal });
    const needsUserNamespace = (await findObstacle()) !== null && (await mayEnterUserNamespace());
    return await (needsUserNamespace ? openStageInUserNamespace(options) : openStageOverLink(options, 'os-users'));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'testbed-refused') throw error;
    if (options.subject === 'httpep')
      throw new AppError('testbed-refused', `The demo of HTTPEP needs an emulated link: ${error.message}`, {
        cause: error,
      });
    say(`This machine allows no emulated link (${error.message}): measuring without it`);
    return openStageOnLoopback(options);
  }
}

async function openStageOnLoopback(options: StageOptions): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const origin = resources.use(await startOrigin());
  const agent = resources.use(startAgentProcess({ ...options, name: demoHost }));
  const stack = resources.move();
  return {
    evaluationYaml: evaluationWithoutLink(origin),
    failed: agent.failed,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
