import type { CDPSession, Protocol } from 'puppeteer-core';
import { evaluateIn, type FrameWorld } from './frame-worlds.ts';
import { ignoreRefusal } from './ignore-refusal.ts';

/** Of so many elements Chrome describes the whole document in less time than the likely hosts one by one. Of a document of megabytes, the description alone is hundreds of megabytes. */
const mostDescribed = 20_000;

/** Hands the closed shadow roots of one session's frames to the probe, which cannot reach them by itself. */
export async function revealShadowRoots(session: CDPSession, worlds: readonly FrameWorld[]): Promise<void> {
  const counts = await Promise.all(worlds.map(countElements));
  if (counts.reduce((sum, count) => sum + count, 0) <= mostDescribed) await revealInDocument(session, worlds);
  else await Promise.all(worlds.map((world) => ignoreRefusal(revealOneByOne(world))));
}

/** 0 for a frame that went away meanwhile. */
async function countElements(world: FrameWorld): Promise<number> {
  const count = await evaluateIn(world, 'httpAeProbe.countElements()').catch(() => 0);
  return Number(count);
}

async function revealOneByOne(world: FrameWorld): Promise<void> {
  const { session, contextId } = world;
  const objectGroup = `hosts in ${contextId}`;
  while (true) {
    const expression = 'httpAeProbe.listHosts()';
    const { result: list } = await session.send('Runtime.evaluate', { expression, contextId, objectGroup });
    const { result: items } = await session.send('Runtime.getProperties', {
      objectId: list.objectId!,
      ownProperties: true,
    });
    const hosts = items.flatMap(({ value }) => (value?.subtype === 'node' ? [value.objectId!] : []));
    await Promise.all(
      hosts.map(async (objectId) => {
        const { node } = await session.send('DOM.describeNode', { objectId });
        const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
        if (root) await revealIn(world, root.backendNodeId);
      }),
    );
    await session.send('Runtime.releaseObjectGroup', { objectGroup });
    if (hosts.length === 0) return;
  }
}

async function revealInDocument(session: CDPSession, worlds: readonly FrameWorld[]): Promise<void> {
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
  if (world) await revealIn(world, backendNodeId);
}

async function revealIn(world: FrameWorld, backendNodeId: number): Promise<void> {
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
