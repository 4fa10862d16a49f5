import { AppError } from '#core/app-error.ts';
import { needsUserspace, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { satelliteInterfaces } from '../namespaces/connect-ends.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import type { LinkBackend, LinkBackendKind, LinkInterfaces, LinkStatistics } from './link-backend.ts';
import { openNetemLink } from './netem-backend.ts';
import { openUserspaceLink } from './userspace/userspace-backend.ts';
import { runTool, ToolError } from '../namespaces/run-tool.ts';

const known = new WeakMap<TestbedNetwork, Promise<boolean>>();

export interface SwitchableLinkOptions {
  network: TestbedNetwork;
  /** Those to `ground` and `remote` when not given. */
  interfaces?: LinkInterfaces | undefined;
  /** The one backend that may be used; null for any that fits. */
  only: LinkBackendKind | null;
  /** Of the userspace backend's losses and jitter; drawn when not given. netem draws from the kernel. */
  seed?: number | undefined;
}

/** A link that netem makes where the kernel has it and the profile suits it, and else the userspace backend. Changing over drops what is on the link. */
export class SwitchableLink implements LinkBackend {
  readonly failed: AbortSignal;
  readonly #options: SwitchableLinkOptions;
  readonly #failing = new AbortController();
  #current: LinkBackend | null = null;

  constructor(options: SwitchableLinkOptions) {
    this.#options = options;
    this.failed = this.#failing.signal;
  }

  get kind(): LinkBackendKind {
    return this.#opened.kind;
  }

  /**
   * `runHasVaryingRate`: the rate of another link that this one is compared with varies, or its queue is managed, so that one backend, userspace, is to make both.
   * Throws `testbed-refused` for a profile that the only backend cannot be.
   */
  async apply(profile: LinkProfile, { runHasVaryingRate = false } = {}): Promise<void> {
    const kind = this.#options.only ?? (await this.#choose(runHasVaryingRate || needsUserspace(profile)));
    if (this.#current?.kind === kind) return this.#current.apply(profile);
    if (kind === 'netem' && !(await hasNetem(this.#options.network)))
      throw new AppError(
        'testbed-refused',
        'This kernel lacks netem or its token bucket (the modules sch_netem and sch_tbf): open the testbed without "--backend netem"',
      );
    await this.#close();
    this.#current = await this.#open(kind, profile);
  }

  beginRound(): Promise<void> {
    return this.#opened.beginRound();
  }

  statistics(): Promise<LinkStatistics> {
    return this.#opened.statistics();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  get #opened(): LinkBackend {
    if (this.#current === null) throw new Error('The link is closed: opening it failed, as reported before');
    return this.#current;
  }

  async #choose(needsOwn: boolean): Promise<LinkBackendKind> {
    return !needsOwn && (await hasNetem(this.#options.network)) ? 'netem' : 'userspace';
  }

  async #open(kind: LinkBackendKind, profile: LinkProfile): Promise<LinkBackend> {
    const { network, interfaces = satelliteInterfaces, seed } = this.#options;
    if (kind === 'netem') return openNetemLink({ network, interfaces, profile });
    const link = await openUserspaceLink({ network, interfaces, profile, ...(seed !== undefined && { seed }) });
    link.failed.addEventListener('abort', () => this.#failing.abort(link.failed.reason));
    return link;
  }

  async #close(): Promise<void> {
    const link = this.#current;
    this.#current = null;
    await link?.[Symbol.asyncDispose]();
  }
}

/** What a link of netem needs of the kernel, as the arguments of tc. */
const disciplines = [
  ['netem', 'delay', '1ms'],
  ['tbf', 'rate', '1mbit', 'burst', '2000', 'limit', '2000'],
] as const;

/** Whether this kernel has netem and its queue, found by trying both once on the loopback interface of `satellite`, which nobody uses. */
function hasNetem(network: TestbedNetwork): Promise<boolean> {
  const found = known.get(network) ?? tryNetem(network);
  known.set(network, found);
  return found;
}

async function tryNetem({ namespaces }: TestbedNetwork): Promise<boolean> {
  const change = (action: 'add' | 'delete', ...words: string[]) =>
    runTool('tc', '-n', namespaces.satellite, 'qdisc', action, 'dev', 'lo', 'root', ...words);
  for (const words of disciplines) {
    try {
      await change('add', ...words);
    } catch (error) {
      if (error instanceof ToolError) return false;
      throw error;
    }
    await change('delete');
  }
  return true;
}
