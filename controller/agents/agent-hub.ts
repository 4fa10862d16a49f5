import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { Time } from '#core/clock/time.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import { lineSubprotocol, readOfferedToken } from '#core/protocol/line-credentials.ts';
import { type CompressedVisit, matchSnapshots } from '#core/protocol/sent-visit.ts';
import { ClientAddresses } from '../people/client-address.ts';
import { BadTokens } from '../people/limit-attempts.ts';
import { Admission, type AdmissionOptions, type Caller } from './admission.ts';
import { AgentsClock } from './agents-clock.ts';
import { AgentConnection, type Beside, type Hello, RefusalLog } from './agent-connection.ts';
import { LineGate } from './line-gate.ts';
import { LineReader } from './line-reader.ts';
import { UploadTurns } from './upload-turns.ts';

const reconnectAfterMs = 5_000;
const databaseAway = { status: '503 Service Unavailable', reason: 'The database does not answer' };

interface HubEvents {
  connected: [name: string, hello: Hello];
  disconnected: [name: string];
  message: [name: string, message: AgentMessage];
  /** Visits that came in the Agent's turn; `end` lets others have theirs. */
  visits: [name: string, visits: CompressedVisit[], end: () => void];
}

interface HubOptions extends AdmissionOptions {
  /** 5 s unless set. */
  pingEveryMs?: number;
  /** No proxy is trusted unless given. */
  clients?: ClientAddresses | undefined;
  /** Of lines alone unless given. */
  badTokens?: BadTokens | undefined;
  /** How much memory a large message may take. */
  reading?: ConstructorParameters<typeof LineReader>[0];
  /** Of this process unless given. */
  time?: Time | undefined;
  log: Logger;
}

/** Every Agent that is connected, by name; the one place that sends to them. */
export class AgentHub extends EventEmitter<HubEvents> {
  readonly #options: HubOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    // Of Visits with their Snapshots. How much of JSON may be in it depends on its kind.
    maxPayload: 64 * 1024 * 1024,
    handleProtocols: (offered) => (offered.has(lineSubprotocol) ? lineSubprotocol : false),
  });
  readonly #clients: ClientAddresses;
  readonly #admission: Admission;
  readonly #gate: LineGate;
  readonly #reader: LineReader;
  readonly #refusals: RefusalLog;
  readonly #agents = new Map<string, { connection: AgentConnection; facts: HostFacts; line: number }>();
  /** By what each line was let in, from then on: a token may be revoked while its Agent is admitted. */
  readonly #tokens = new Map<AgentConnection, string>();
  readonly #clock = new AgentsClock();
  readonly #turns: UploadTurns;
  readonly #needs: ((name: string) => boolean)[] = [];
  readonly #isNeeded = (name: string) => this.#needs.length === 0 || this.#needs.some((isNeeded) => isNeeded(name));
  readonly #conditions: (() => boolean)[] = [];

  constructor(options: HubOptions) {
    super();
    this.#options = options;
    this.#reader = new LineReader(options.reading);
    this.#clients = options.clients ?? new ClientAddresses();
    this.#admission = new Admission(options, options.badTokens ?? new BadTokens(options.time));
    this.#gate = new LineGate(this.#clients);
    this.#turns = new UploadTurns({
      grant: (name) => this.#agents.get(name)?.connection.send({ type: 'upload-visits' }),
      giveUp: (name) => {
        options.log.warn(`Agent "${name}" sent no Visits for a minute in its turn to upload: it is disconnected`);
        this.breakLine(name);
      },
      time: options.time,
    });
    this.setMaxListeners(0); // each Run under way has some
    this.#refusals = new RefusalLog(options.log);
  }

  /** An Agent that is needed, by any of these, stays although a Controller that it prefers is there. Without any, all stay. */
  keepWhile(isNeeded: (name: string) => boolean): void {
    this.#needs.push(isNeeded);
  }

  /** Agents are taken while all of these say so; else they are to try another Controller. */
  admitWhile(isOfUse: () => boolean): void {
    this.#conditions.push(isOfUse);
  }

  /** Takes over the upgrade of `/agent` on this HTTP server; any other upgrade is refused. */
  attach(httpServer: Server): void {
    httpServer.on('upgrade', (request, socket: Duplex, head) => {
      const refusal =
        this.#gate.explainRefusal(request) ?? (this.#conditions.every((isOfUse) => isOfUse()) ? null : databaseAway);
      if (refusal !== null) {
        if (!refusal.status.startsWith('404')) this.#refusals.warn({ status: refusal.status }, refusal.reason);
        socket.on('error', () => undefined); // who asked is gone
        socket.end(`HTTP/1.1 ${refusal.status}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
        return;
      }
      const leave = this.#gate.enter(request);
      socket.once('close', leave);
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#receive(webSocket, {
          stream: socket,
          token: readOfferedToken(request.headers['sec-websocket-protocol']),
          address: this.#clients.read(request) || null,
          leave,
        });
      });
    });
  }

  /** The Controller's clock, as Agents know it. */
  get epochClock(): EpochClock {
    return this.#clock.now;
  }

  listConnected(): string[] {
    return [...this.#agents.keys()];
  }

  isConnected(name: string): boolean {
    return this.#agents.has(name);
  }

  /** How many Agents are connected, and how many of them wait to upload or are uploading. */
  get load(): { agents: number; uploadsWaiting: number; uploadsInWork: number } {
    const { waiting, inWork } = this.#turns.counts;
    return { agents: this.#agents.size, uploadsWaiting: waiting, uploadsInWork: inWork };
  }

  factsOf(name: string): HostFacts | null {
    return this.#agents.get(name)?.facts ?? null;
  }

  /** The number of its line; null when it is not connected. */
  lineOf(name: string): number | null {
    return this.#agents.get(name)?.line ?? null;
  }

  /** What is sent to an Agent that is not connected is dropped: who waits for the answer sees `disconnected`. An order to upload is sent when its turn comes. */
  send(name: string, message: ControllerMessage): void {
    if (message.type !== 'upload-visits') this.#agents.get(name)?.connection.send(message);
    else if (this.#agents.has(name)) this.#turns.ask(name);
  }

  /** The ids of those that Agents came with. */
  get tokens(): string[] {
    return [...new Set(this.#tokens.values())];
  }

  /** Ends the line of every Agent that came with this token, for good. */
  dropToken(tokenId: string): void {
    for (const [connection, own] of this.#tokens) {
      if (own === tokenId && !connection.isOver)
        connection.refuse({
          code: 'token-refused',
          message: 'The token was revoked: create a new one under Hosts in the web UI',
        });
    }
  }

  /** Breaks the line of an Agent, which connects again and sends once more what was not acknowledged. */
  breakLine(name: string): void {
    this.#agents.get(name)?.connection.terminate();
  }

  /** The same after an upload that failed. Not at once, as what is in the way may last. */
  breakLineLater(name: string, { error, problem }: { error: unknown; problem: string }): void {
    this.#options.log.error({ err: error, agent: name }, problem);
    setTimeout(() => this.breakLine(name), reconnectAfterMs).unref();
  }

  /** Breaks all lines: the Agents look for another Controller. */
  breakLines(): void {
    for (const { connection } of this.#agents.values()) connection.terminate();
  }

  close(): void {
    for (const { connection } of this.#agents.values()) connection.terminate();
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    this.#refusals[Symbol.dispose]();
    void this.#reader[Symbol.asyncDispose]();
  }

  #receive(webSocket: WebSocket, { stream, leave, ...caller }: Caller & { stream: Duplex; leave: () => void }): void {
    const { log } = this.#options;
    const connection = new AgentConnection(webSocket, {
      stream,
      log,
      refusals: this.#refusals,
      reader: this.#reader,
      isNeeded: this.#isNeeded,
      epochClock: this.#clock.now,
      pingEveryMs: this.#options.pingEveryMs,
      sleep: this.#options.time?.sleep,
    });
    const giveUp = (error: unknown) => {
      log.error({ err: error }, 'Cannot admit an Agent; it will try again');
      connection.terminate();
    };
    connection.on('ping', () => {
      // Between Runs: all of one Run is dated by one clock.
      if (!this.#clock.follow(() => this.listConnected().some(this.#isNeeded))) return;
      log.warn('The clock of this machine was set, or it was asleep: the Agents read it again');
      this.breakLines();
    });
    connection.on('hello', (hello) => {
      this.#admit(connection, { ...caller, hello }).then(leave, giveUp);
    });
    this.#listen(connection, caller).catch(giveUp);
  }

  async #listen(connection: AgentConnection, caller: Caller): Promise<void> {
    const tokenId = await this.#admission.checkToken(connection, caller);
    if (tokenId === null || connection.isOver) return;
    this.#tokens.set(connection, tokenId);
    connection.on('closed', () => this.#tokens.delete(connection));
    connection.listen();
  }

  async #admit(connection: AgentConnection, entry: Caller & { hello: Hello }): Promise<void> {
    const { controllerVersion, log } = this.#options;
    const { hello } = entry;
    const { name, agentVersion, facts } = hello;
    const line = await this.#admission.admit(connection, entry);
    if (line === null || connection.isOver) return;
    const current = this.#agents.get(name);
    // The database was slow to admit it, and its Agent has come again meanwhile.
    if (current && current.line > line) {
      connection.terminate();
      return;
    }
    current?.connection.refuse({
      code: 'replaced',
      message: `Another Agent connected with the name "${name}": give each Agent its own name`,
    });
    this.#turns.forget(name);
    this.#agents.set(name, { connection, facts, line });
    connection.on('message', (message, beside) => this.#handle({ name, connection, message, beside }));
    connection.on('closed', () => {
      if (this.#agents.get(name)?.connection !== connection) return;
      this.#agents.delete(name);
      this.#turns.forget(name);
      log.info(`Agent "${name}" disconnected`);
      this.emit('disconnected', name);
    });
    connection.welcome(name, controllerVersion);
    log.info(`Agent "${name}" (${agentVersion}) connected`);
    this.emit('connected', name, hello);
  }

  #handle({
    name,
    connection,
    message,
    beside: { bytes, attached },
  }: {
    name: string;
    connection: AgentConnection;
    message: AgentMessage;
    beside: Beside;
  }): void {
    if (message.type === 'visits-waiting') {
      this.#turns.request(name);
      return;
    }
    if (message.type !== 'visits') {
      this.emit('message', name, message);
      return;
    }
    const end = this.#turns.receive(name, { bytes, isEmpty: message.visits.length === 0 });
    if (end === null) {
      this.#refusals.warn({ agent: name }, 'An Agent sent Visits out of turn: it is disconnected');
      connection.terminate();
      return;
    }
    const visits = matchSnapshots(message.visits, attached);
    if (visits === null) {
      end();
      connection.refuse({
        code: 'invalid-input',
        message: 'The Agent sent Visits without their Snapshots beside them',
      });
      return;
    }
    this.emit('message', name, message);
    if (visits.length > 0) this.emit('visits', name, visits, end);
  }
}
