import path from 'node:path';
import pino from 'pino';
import { z } from 'zod';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { startOriginInGround } from '#cli/testbed/open-testbed-origin.ts';
import { asHostOrigin } from '#core/protocol/host-origin.ts';
import type { Controller } from '#controller/start-controller.ts';
import { joinController } from '#cli/testbed/join-controller.ts';
import { issueToken } from '#controller/people/tokens.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { CaptureOutcomeSchema, type CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { VisitDetailSchema, type VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { awaitRun } from '../../browser/support/await-run.ts';
import { findChrome } from '../../browser/support/find-chrome.ts';
import { postJson, startTestController } from '../../support/controller.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

interface Settings {
  firefoxPath?: string;
  extension?: ExtensionTarget;
  allowScripts?: boolean;
  hasIpv6?: boolean;
  /** Whether the origin has its front. */
  http3?: boolean;
  /** Users with a network namespace each, the hosts `user1` and so on. */
  userCount?: number;
  /** Whether the terminal and the gateway of paths have an Agent each. */
  hasNodes?: boolean;
}

/** What a Controller is joined by; that of a test unless a benchmark has its own. */
export type OpenController = AsyncDisposable & {
  controller: Pick<Controller, 'url' | 'pool'>;
  program: (path: string, init?: RequestInit) => Promise<Response>;
};

/** A User Agent of the place `remote`: an OS user with an address of its own. */
export const linkUser = (name: string, index = 0) => ({
  name,
  host: 'remote',
  urlList: 'pages',
  osUser: 20_001 + index,
  sourceAddress: `198.19.1.${index + 1}`,
  interface: 'link0',
});

type Captured = Extract<CaptureOutcome, { kind: 'captured' }>;

/** A Controller, an emulated network with an origin in `ground`, and the Agents of both places, which run Chrome and the browsers that are named. */
export async function joinOverLink(
  { allowScripts = false, hasIpv6 = false, http3 = false, userCount = 0, hasNodes = false, ...browsers }: Settings = {},
  openController: () => Promise<OpenController> = startTestController,
) {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(await makeTemporaryFolder());
  const authorityFolder = path.join(home.path, 'origin');
  const { controller, program } = opening.use(await openController());
  const emulated = opening.use(
    await openEmulatedNetwork({
      profile: resolveLinkProfile({ preset: 'none' }),
      hasIpv6,
      userCount,
      hasNodes,
      authorityFolder,
    }),
  );
  const origin = opening.use(await startOriginInGround(emulated.network, { http3, authorityFolder }));
  const { token } = await issueToken(controller.pool, { name: 'testbed', scope: 'agent' });
  const said: string[] = [];
  const joined = opening.use(
    await joinController(emulated, {
      controllerUrl: controller.url,
      token,
      chromePath: findChrome(),
      ...browsers,
      homeFolder: home.path,
      origin: asHostOrigin(origin),
      allowScripts,
      isVerbose: false,
      say: (line) => void said.push(line),
      log: pino({ level: 'silent' }),
    }),
  );
  const stack = opening.move();

  /** Stores the Evaluation and starts a Run of it. */
  const start = async (
    evaluation: z.input<typeof EvaluationSchema>,
    order: { seed?: number } = {},
  ): Promise<RunSummary> => {
    const { id } = StoredEvaluationSchema.parse(await (await program('/api/evaluations', postJson(evaluation))).json());
    return RunSummarySchema.parse(await (await program(`/api/evaluations/${id}/runs`, postJson(order))).json());
  };
  /** Rejects with what the Agents said when one of them is lost, without which a Run would wait for it. */
  const broken = new Promise<never>((_, reject) =>
    joined.failed.addEventListener('abort', () => reject(new Error(said.join('\n'), { cause: joined.failed.reason }))),
  );
  broken.catch(() => undefined); // reported by the test that waits for a Run
  const follow = (runId: string, isThere?: (run: RunDetail) => boolean): Promise<RunDetail> =>
    Promise.race([awaitRun(program, runId, isThere), broken]);
  /** `begin` is called once the first link has been checked: the first pages come now. */
  const run = async (
    evaluation: z.input<typeof EvaluationSchema>,
    { begin, ...order }: { seed?: number; begin?: () => void } = {},
  ): Promise<RunDetail> => {
    const { id } = await start(evaluation, order);
    if (begin) await follow(id, ({ rounds }) => rounds.some(({ linkCheck }) => linkCheck !== null));
    begin?.();
    return follow(id);
  };

  /** All Visits of a Run, in full. */
  const readVisits = async (runId: string): Promise<VisitDetail[]> => {
    const rows = (await (await program(`/api/runs/${runId}/visits?format=json`)).json()) as { visit_id: string }[];
    return Promise.all(
      rows.map(async ({ visit_id: id }) => VisitDetailSchema.parse(await (await program(`/api/visits/${id}`)).json())),
    );
  };

  /** The packets that were captured in a Pass, or at a Capture Point. Throws why there are none. */
  const readCapture = async (of: 'passes' | 'captures', id: string): Promise<Captured> => {
    const answer = await program(of === 'passes' ? `/api/passes/${id}/capture` : `/api/captures/${id}`);
    const { outcome } = z.object({ outcome: CaptureOutcomeSchema }).parse(await answer.json());
    if (outcome.kind === 'absent') throw new Error(outcome.reason);
    return outcome;
  };

  return {
    origin,
    pool: controller.pool,
    program,
    network: emulated.network,
    homeFolder: home.path,
    start,
    follow,
    readVisits,
    readCapture,
    run,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
