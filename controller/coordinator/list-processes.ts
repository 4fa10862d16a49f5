import { randomBytes } from 'node:crypto';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { Httpep, HttpepRate } from '#core/evaluation/network/httpep.ts';
import type { LinkRate } from '#core/evaluation/network/link-profile.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import type { ScenarioProcess } from '#core/evaluation/scenarios/scenario-process.ts';
import type { HttpepEnd } from '#core/protocol/httpep-end.ts';
import type { HttpepTls } from './draw-httpep-tls.ts';

/** A process of a Scenario: a shell command, or one end of HTTPEP. */
export type RunnableProcess = Omit<ScenarioProcess, 'command'> &
  ({ command: string; httpep?: undefined } | { command?: undefined; httpep: HttpepEnd });

/** The processes of a Scenario in the order in which they start: HTTPEP, then its own. `tls`: of HTTPEP in this Round. */
export function listProcesses(
  { userAgents, pageLoad }: Pick<Evaluation, 'userAgents' | 'pageLoad'>,
  { browser, httpep, network, processes }: Pick<Scenario, 'browser' | 'httpep' | 'network' | 'processes'>,
  tls: HttpepTls | null,
): RunnableProcess[] {
  if (!httpep) return processes;
  const { ground, remote, connections, clients, paceRatio, scheduler, bundling, text, images, imageQuality } = httpep;
  const key = randomBytes(32).toString('base64');
  const common = { environment: {}, lifetime: 'round', timeoutMs: 30_000 } as const;
  const rate = network && resolveLinkProfile(network.link).forward.rate;
  return [
    {
      ...common,
      name: 'HTTPEP, ground end',
      host: ground.host,
      readyWhen: { line: 'Listening on' },
      httpep: {
        end: 'ground',
        listen: ground.address,
        key,
        rateKbps: httpep.rateKbps ?? rateOf(rate),
        paceRatio,
        scheduler,
        bundling,
        text,
        images,
        imageQuality,
        trustedKeys: [...(tls?.originKeys ?? [])],
        viewport: browser.viewport ?? pageLoad.viewport,
        classes: httpep.classes ? usersByClass(httpep.classes, userAgents) : null,
      },
    },
    {
      ...common,
      name: 'HTTPEP, remote end',
      host: remote.host,
      readyWhen: { line: 'The tunnel stands' },
      httpep: {
        end: 'remote',
        listen: remote.address,
        key,
        ground: ground.address,
        connections,
        clients,
        tlsKey: tls?.privateKey ?? null,
      },
    },
    ...processes,
  ];
}

/** Null where the link has no limit. */
function rateOf(rate: LinkRate | undefined): HttpepRate | null {
  if (rate?.kind === 'constant') return rate.kbps;
  return rate?.kind === 'unlimited' ? null : 'auto';
}

function usersByClass(classes: NonNullable<Httpep['classes']>, userAgents: Evaluation['userAgents']) {
  return Object.fromEntries(
    Object.entries(classes).map(([name, weight]) => {
      const users = userAgents.flatMap(({ userClass, sourceAddress }) =>
        userClass === name && sourceAddress !== undefined ? [sourceAddress] : [],
      );
      return [name, { weight, users: [...new Set(users)] }];
    }),
  );
}
