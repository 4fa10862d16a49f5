import type { CDPSession, Protocol } from 'puppeteer-core';
import type { FrameWorld } from './frame-worlds.ts';

/** Hands the closed shadow roots of one session's frames to the probe, which cannot reach them by itself. */
export async function revealShadowRoots(session: CDPSession, worlds: readonly FrameWorld[]): Promise<void> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  try {
    const [rootWorld] = worlds.filter((world) => world.session === session);
    if (!rootWorld) return;
    const closedRoots = findClosedRoots(root, rootWorld.frameId);
    await Promise.all(closedRoots.map((closedRoot) => reveal(closedRoot, worlds)));
  } finally {
    // Asking for the document turned its events on.
    await session.send('DOM.disable');
  }
}

interface ClosedRoot {
  backendNodeId: number;
  frameId: string;
}

function findClosedRoots(node: Protocol.DOM.Node, frameId: string): ClosedRoot[] {
  const { shadowRoots = [], children = [], contentDocument } = node;
  const closed = shadowRoots
    .filter((root) => root.shadowRootType === 'closed')
    .map(({ backendNodeId }) => ({ backendNodeId, frameId }));
  const below = [...shadowRoots, ...children].flatMap((child) => findClosedRoots(child, frameId));
  const framed = contentDocument ? findClosedRoots(contentDocument, node.frameId ?? frameId) : [];
  return [...closed, ...below, ...framed];
}

async function reveal({ backendNodeId, frameId }: ClosedRoot, worlds: readonly FrameWorld[]): Promise<void> {
  const world = worlds.find((candidate) => candidate.frameId === frameId);
  if (!world) return;
  const { object } = await world.session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: world.contextId,
  });
  if (!object.objectId) return;
  await world.session.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: 'function () { httpAeProbe.addShadowRoot(this); }',
  });
}
