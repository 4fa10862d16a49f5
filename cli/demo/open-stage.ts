import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { joinController } from '../testbed/join-controller.ts';
import { prepareTools } from '../testbed/prepare-tools.ts';
import { demoHost, evaluationOverLink, evaluationWithoutLink } from './demo-evaluation.ts';
import { startOriginInGround } from './start-origin-in-ground.ts';

interface StageOptions {
  controllerUrl: string;
  token: string;
  chromePath: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
  signal: AbortSignal;
}

/** Origin and Agents of the demo, with the Evaluation that fits them. */
export interface Stage extends AsyncDisposable {
  evaluationYaml: string;
  /** Aborts, with an AppError, when a part of it is gone for good. */
  failed: AbortSignal;
}

/** Over the emulated link where this machine allows one; else on loopback, which is told. */
export async function openStage(options: StageOptions): Promise<Stage> {
  try {
    return await openStageOverLink(options);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'testbed-refused') throw error;
    options.say(`This machine allows no emulated link (${error.message}): measuring without it`);
    return openStageOnLoopback(options);
  }
}

async function openStageOverLink(options: StageOptions): Promise<Stage> {
  const { say, signal } = options;
  if (process.platform !== 'linux') throw new AppError('testbed-refused', 'it needs the network namespaces of Linux');
  await prepareTools({ say, signal });
  await using resources = new AsyncDisposableStack();
  const emulated = resources.use(await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'geo-8m' }) }));
  const origin = resources.use(await startOriginInGround(emulated.network));
  const joined = resources.use(await joinController(emulated, { ...options, allowScripts: false }));
  say(`Measuring over an emulated GEO satellite link, by ${emulated.backend}`);
  const stack = resources.move();
  return { evaluationYaml: evaluationOverLink(origin), failed: joined.failed, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function openStageOnLoopback(options: StageOptions): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const origin = resources.use(await startOrigin());
  const agent = resources.use(startAgentProcess({ ...options, name: demoHost }));
  const stack = resources.move();
  return { evaluationYaml: evaluationWithoutLink(origin), failed: agent.failed, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
