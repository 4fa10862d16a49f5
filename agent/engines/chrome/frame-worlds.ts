import type { CDPSession, Protocol } from 'puppeteer-core';
import { askPageFirst, listAnswers } from '#core/agent/frame-answers.ts';
import { unlessAborted } from '#core/waiting.ts';
import { ProbeError } from '../browser/collected-frames.ts';
import { probeWorld } from './frame-watch.ts';
import type { ChromePage } from './open-chrome-page.ts';

/** The probe's world in one frame. */
export interface FrameWorld {
  session: CDPSession;
  frameId: string;
  contextId: number;
  /** Whether it is the outermost of its session. */
  isRoot: boolean;
  url: string;
}

/** What the page and those of its frames answer that do. Each process is asked by itself. */
export async function askFrames(
  page: ChromePage,
  { expression, signal }: { expression: string; signal: AbortSignal },
): Promise<unknown[]> {
  return askPageFirst({
    page: async () => evaluateIn(await findMainWorld(page), expression),
    frames: async (asking) => {
      const askSession = async (session: CDPSession) => {
        const worlds = await findWorldsOfSession(session);
        const within = worlds.filter(({ isRoot }) => !(isRoot && session === page.main));
        return listAnswers(
          within.map((world) => () => evaluateIn(world, expression)),
          asking,
        );
      };
      const answers = await listAnswers(
        [...page.frameSessions].map((session) => () => unlessAborted(askSession(session), page.crashOf(session))),
        asking,
      );
      return answers.flat();
    },
    signal,
  });
}

/** The probe's world of the page itself. */
export async function findMainWorld({ main }: ChromePage): Promise<FrameWorld> {
  const { frameTree } = await main.send('Page.getFrameTree');
  return openWorld(main, frameTree.frame);
}

export async function findWorldsOfSession(session: CDPSession): Promise<FrameWorld[]> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const worlds = await Promise.allSettled(
    listFrames(frameTree).map((frame) => openWorld(session, frame, { isRoot: frame === frameTree.frame })),
  );
  return worlds.filter((world) => world.status === 'fulfilled').map((world) => world.value);
}

/** Gives the world that the probe was injected into: worlds of one name are the same. */
async function openWorld(
  session: CDPSession,
  { id: frameId, url }: Protocol.Page.Frame,
  { isRoot } = { isRoot: true },
): Promise<FrameWorld> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: probeWorld });
  return { session, frameId, contextId: executionContextId, isRoot, url };
}

function listFrames({ frame, childFrames = [] }: Protocol.Page.FrameTree): Protocol.Page.Frame[] {
  return [frame, ...childFrames.flatMap(listFrames)];
}

/** Evaluates an expression in the probe's world and gives its value, which is any JSON: parse it. */
export async function evaluateIn({ session, contextId }: FrameWorld, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new ProbeError(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
