import { z } from 'zod';
import { evaluateRemote, probeSandbox, type FrameRealm } from './frame-realms.ts';

/** https://w3c.github.io/webdriver-bidi/#type-script-RemoteValue */
interface RemoteNode {
  sharedId?: string | undefined;
  value?:
    | { mode?: string | undefined; shadowRoot?: RemoteNode | null | undefined; children?: RemoteNode[] | undefined }
    | undefined;
}

const RemoteNodeSchema: z.ZodType<RemoteNode> = z.lazy(() =>
  z.object({
    sharedId: z.string().optional(),
    value: z
      .object({
        mode: z.string().optional(),
        shadowRoot: RemoteNodeSchema.nullish(),
        children: z.array(RemoteNodeSchema).optional(),
      })
      .optional(),
  }),
);

/** Hands the closed shadow roots of a frame to the probe, which cannot reach them by itself. */
export async function revealShadowRoots(realm: FrameRealm): Promise<void> {
  const serializationOptions = { maxDomDepth: null, includeShadowTree: 'all' };
  const root = RemoteNodeSchema.parse(
    await evaluateRemote(realm, { expression: 'document.documentElement', serializationOptions }),
  );
  await Promise.all(
    findClosedRoots(root).map((sharedId) =>
      realm.connection.send('script.callFunction', {
        functionDeclaration: '(root) => httpAeProbe.addShadowRoot(root)',
        arguments: [{ sharedId }],
        target: { context: realm.contextId, sandbox: probeSandbox },
        awaitPromise: false,
      }),
    ),
  );
}

function findClosedRoots({ sharedId, value }: RemoteNode): string[] {
  const { mode, shadowRoot, children = [] } = value ?? {};
  const own = mode === 'closed' && sharedId !== undefined ? [sharedId] : [];
  return [...own, ...(shadowRoot ? findClosedRoots(shadowRoot) : []), ...children.flatMap(findClosedRoots)];
}
