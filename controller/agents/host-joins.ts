import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import type { HostJoin, HostJoinRequest, HostKey } from '#core/protocol/api/host-join.ts';
import type { AgentPresence } from '../runs/run-control.ts';
import { storeAuditEntry } from '../people/audit.ts';

/** What the machine of the Controller can do: log in to another over ssh and join it as a host. It keeps nothing of what was typed. */
export type HostJoining = (
  request: HostJoinRequest,
  way: { say: (line: string) => void; signal: AbortSignal },
) => Promise<JoinOutcome>;

type JoinOutcome =
  /** `ended`: when the connection that holds the Agent has ended, and why; null where none holds it. */
  | { kind: 'joined'; ended: Promise<string> | null }
  /** `hostKey`: the one that a person has to compare first; null where it is not that. */
  | { kind: 'failed'; reason: string; hostKey: HostKey | null };

const mostAtOnce = 4;
const mostHeld = 50;
/** Of those that have ended. */
const mostKept = 20;
const mostLines = 200;
const mostLineLength = 500;

interface KnownJoin {
  state: HostJoin;
  /** Ends the attempt, or the connection. */
  stop: AbortController;
  settled: Promise<void>;
}

const isOpen = ({ state: { state, isHeld } }: KnownJoin) => state === 'connecting' || isHeld;

/** The hosts that people join from the page, since the start of this Controller. */
export class HostJoins implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #agents: Pick<AgentPresence, 'isConnected'>;
  readonly #joining: HostJoining | null;
  readonly #joins = new Map<string, KnownJoin>();
  #isClosed = false;

  constructor({
    pool,
    agents,
    log,
    joining,
  }: {
    pool: Pool;
    agents: Pick<AgentPresence, 'isConnected'>;
    log: Logger;
    joining: HostJoining | null;
  }) {
    this.#pool = pool;
    this.#agents = agents;
    this.#log = log;
    this.#joining = joining;
  }

  /** Why no hosts can be joined here; null where they can. */
  get obstacle(): string | null {
    if (this.#joining !== null) return null;
    return 'This Controller was not started by "./http-ae up", and opens no connections. Use "./http-ae hosts up", or the command for one machine';
  }

  /** The newest first. */
  list(): HostJoin[] {
    return [...this.#joins.values()].map(({ state }) => state).reverse();
  }

  /** Begins to join a host, for `actor`. Throws an AppError where that cannot begin. */
  begin(request: HostJoinRequest, actor: string): HostJoin {
    if (this.#joining === null || this.#isClosed)
      throw new AppError('not-allowed', this.obstacle ?? 'The Controller is stopping: try again later');
    const open = [...this.#joins.values()].filter(isOpen);
    const { name, user, address, port } = request;
    if (open.some(({ state }) => state.name === name))
      throw new AppError(
        'conflict',
        `"${name}" is being joined, or joined already: choose another name, or stop that first`,
      );
    if (this.#agents.isConnected(name))
      throw new AppError('conflict', `A host "${name}" is connected: choose another name, or revoke that host first`);
    if (open.filter(({ state }) => !state.isHeld).length >= mostAtOnce)
      throw new AppError('too-many-requests', `${mostAtOnce} hosts are being joined: wait until one of them is done`);
    if (open.length >= mostHeld)
      throw new AppError('too-many-requests', `${mostHeld} hosts hold a connection: use "./http-ae hosts up" for more`);

    const state: HostJoin = {
      id: randomUUID(),
      name,
      target: `${user}@${address}${port === 22 ? '' : `:${port}`}`,
      state: 'connecting',
      lines: [],
      hostKey: null,
      reason: null,
      isHeld: false,
    };
    this.#forgetOld(name);
    const stop = new AbortController();
    const say = (line: string) => {
      if (state.lines.length < mostLines) state.lines.push(line.slice(0, mostLineLength));
    };
    const attempt = this.#joining(request, { say, signal: stop.signal });
    this.#joins.set(state.id, { state, stop, settled: this.#follow(state, attempt, actor) });
    return state;
  }

  /** Stops one that is under way, or takes one that has ended off the list. Whether it was under way. Throws `not-found`. */
  async stop(id: string): Promise<{ name: string; wasOpen: boolean }> {
    const join = this.#joins.get(id);
    if (join === undefined)
      throw new AppError('not-found', 'There is no such join on this Controller: reload the page');
    const { name, isHeld } = join.state;
    const wasOpen = isOpen(join);
    join.stop.abort();
    await join.settled;
    if (isHeld || !wasOpen) this.#joins.delete(id);
    return { name, wasOpen };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#joins.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ settled }) => settled));
  }

  /** It has no part in what was typed, which is to be forgotten while a connection is held. */
  async #follow(state: HostJoin, attempt: Promise<JoinOutcome>, actor: string): Promise<void> {
    const outcome = await attempt.catch((error: unknown): JoinOutcome => {
      if (error instanceof AppError) return { kind: 'failed', reason: error.message, hostKey: null };
      this.#log.error({ err: error }, 'A host could not be joined');
      return { kind: 'failed', reason: 'Internal error: see the log of the Controller', hostKey: null };
    });
    if (outcome.kind === 'failed') {
      const { hostKey, reason } = outcome;
      Object.assign(state, { state: hostKey === null ? 'failed' : 'unknown-key', hostKey, reason });
      await this.#record(state, actor);
      return;
    }
    Object.assign(state, { state: 'joined', isHeld: outcome.ended !== null });
    await this.#record(state, actor);
    if (outcome.ended === null) return;
    const reason = await outcome.ended;
    Object.assign(state, { state: 'failed', isHeld: false, reason });
  }

  async #record({ name, target, state, isHeld }: HostJoin, actor: string): Promise<void> {
    try {
      await storeAuditEntry(this.#pool, {
        actor,
        action: 'ssh-login-ended',
        subject: name,
        details: { address: target, outcome: state, ...(state === 'joined' && { service: !isHeld }) },
      });
    } catch (err) {
      this.#log.error({ err, name, outcome: state }, 'The audit log lacks the end of a login over SSH');
    }
  }

  /** All that have ended under this name, and the oldest of the others. */
  #forgetOld(name: string): void {
    const ended = [...this.#joins.values()].filter((join) => !isOpen(join)).map(({ state }) => state);
    const others = ended.filter((state) => state.name !== name);
    const old = others.slice(0, Math.max(0, others.length - mostKept));
    for (const { id } of [...ended.filter((state) => state.name === name), ...old]) this.#joins.delete(id);
  }
}
