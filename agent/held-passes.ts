import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import { PassRunner } from '#core/agent/pass-runner.ts';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { Time } from '#core/clock/time.ts';
import { explainRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import type { Engine as EngineName } from '#core/evaluation/users/user-agent.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { startPassRecorder, type PassRecorder } from './artefacts/pass-recorder.ts';
import type { Engine, EngineSession, TakenFilmstrip, TakenScreenshot, VisitRequest } from './engines/engine.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { measureLoad, readLoad } from './host/measure-load.ts';
import { ProcessWaits } from './host/process-waits.ts';
import type { PictureSpool } from './spool/picture-uploader.ts';
import { readSystemClockLead } from './system-clock-lead.ts';
import type { CaptureSpool } from './spool/capture-spool.ts';
import type { VisitSpool } from './spool/visit-spool.ts';
import { prepareUser } from './users/prepare-user.ts';
import { normaliseAddress, readInterfaceAddresses, type InterfaceAddresses } from './users/interface-addresses.ts';
import type { PassArtefacts } from '#core/evaluation/artefact-settings.ts';
import type { Filmstrip, Screenshot } from '#core/protocol/filmstrip.ts';

/** The Passes that this Agent holds: those under way, and those that ended and that no cancellation has cleared yet. */
export class HeldPasses {
  readonly #surroundings: PassSurroundings;
  readonly #runners = new Map<string, { runner: PassRunner; over: Promise<void> }>();
  /** Of Passes that were cancelled: what they opened is still being closed. */
  readonly #endings = new Set<Promise<void>>();
  readonly #onIdle: () => void;

  /** `onIdle` is called when the last Pass under way has ended. */
  constructor(surroundings: PassSurroundings, onIdle: () => void) {
    this.#surroundings = surroundings;
    this.#onIdle = onIdle;
  }

  get isMeasuring(): boolean {
    return [...this.#runners.values()].some(({ runner }) => !runner.isOver);
  }

  /** Whether any loads pages, or is about to. */
  get isLoading(): boolean {
    return [...this.#runners.values()].some(({ runner }) => runner.isLoading);
  }

  /** For `hello`. */
  list(): Extract<AgentMessage, { type: 'hello' }>['passes'] {
    return [...this.#runners.entries()].map(([passId, { runner }]) => ({
      passId,
      state: runner.state,
      ...(runner.load && { load: runner.load }),
      ...(runner.readyFor !== null && { readyFor: runner.readyFor }),
    }));
  }

  /** An order that is held already (the Controller repeats it after a break of the line) changes nothing. */
  prepare(order: PassOrder): void {
    if (this.#runners.has(order.passId)) return;
    // Of a Round whose end never reached this Agent.
    for (const [passId, { runner }] of [...this.#runners])
      if (runner.order.roundId !== order.roundId) this.#cancel(passId, 'Another Round begins');
    const runner = makeAgentPass(order, this.#surroundings);
    // What a Pass does as it ends must not fall into the next Round.
    const over = Promise.allSettled(this.#endings)
      .then(() => runner.run())
      .then(() => {
        if (!this.isMeasuring) this.#onIdle();
      });
    this.#runners.set(order.passId, { runner, over });
  }

  handle(message: Extract<ControllerMessage, { type: 'start-pass' | 'start-visit' | 'cancel-pass' }>): void {
    const runner = this.#runners.get(message.passId)?.runner;
    if (message.type === 'start-pass') runner?.startAt(message.startEpochMs);
    else if (message.type === 'start-visit') runner?.startVisitAt(message);
    else this.#cancel(message.passId, message.reason);
  }

  handleConnect(): void {
    for (const { runner } of this.#runners.values()) runner.handleConnect();
  }

  handleDisconnect(): void {
    for (const { runner } of this.#runners.values()) runner.handleDisconnect();
  }

  /** Cancels all and waits until every browser is gone. */
  async close(reason: string): Promise<void> {
    for (const passId of [...this.#runners.keys()]) this.#cancel(passId, reason);
    await Promise.all(this.#endings);
  }

  #cancel(passId: string, reason: string): void {
    const held = this.#runners.get(passId);
    if (!held) return;
    held.runner.cancel(reason);
    this.#runners.delete(passId);
    const ending = held.over.finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }
}

/** The pictures of one Visit that its Evaluation asks for, from the engine to the spool. */
class VisitPictures {
  readonly #asked: PassArtefacts | undefined;
  #screenshot: TakenScreenshot = { kind: 'absent', reason: 'There was no page, or its engine takes no screenshots' };
  #filmstrip: TakenFilmstrip = { kind: 'absent', reason: 'There was no page, or its engine makes no filmstrips' };

  constructor(asked: PassArtefacts | undefined) {
    this.#asked = asked;
  }

  /** What the engine is to call. */
  get receivers(): Pick<VisitRequest, 'onScreenshot' | 'onFilmstrip'> {
    return {
      ...(this.#asked?.screenshot && { onScreenshot: (taken) => void (this.#screenshot = taken) }),
      ...(this.#asked?.filmstrip && { onFilmstrip: (taken) => void (this.#filmstrip = taken) }),
    };
  }

  /** What the Visit reports of them. */
  async keep(spool: PictureSpool): Promise<Pick<Visit, 'screenshot' | 'filmstrip'>> {
    return {
      ...(this.#asked?.screenshot && { screenshot: await keepScreenshot(spool, this.#screenshot) }),
      ...(this.#asked?.filmstrip && { filmstrip: await keepFilmstrip(spool, this.#filmstrip) }),
    };
  }
}

interface PassSurroundings {
  /** The name of this Agent. */
  agent: string;
  isAnyPreferenceAllowed: boolean;
  engines: ReadonlyMap<EngineName, Engine>;
  spool: VisitSpool;
  captureSpool: CaptureSpool;
  pictureSpool: PictureSpool;
  controllerUrls: readonly string[];
  clock: ControllerClock;
  send: (message: AgentMessage) => void;
  /** How Passes wait for a broken line. As time passes unless given. */
  sleep?: Time['sleep'];
  log: Logger;
}

/** The Pass that this order is for, on this host. */
export function makeAgentPass(order: PassOrder, surroundings: PassSurroundings): PassRunner {
  const { clock, send, sleep, log } = surroundings;
  return new PassRunner(order, {
    clock,
    send,
    sleep,
    make: (pass) => measurePass(pass, surroundings),
    takeTurns: () => setImmediate(),
    logLoss: (error) => log.error({ err: error, passId: order.passId }, 'A Pass was lost'),
  });
}

async function measurePass(pass: PassRunner, surroundings: PassSurroundings): Promise<HostLoad> {
  const { engines, clock, captureSpool, controllerUrls } = surroundings;
  const { engine: name, pageLoad, browser, artefacts, visits, origins = [] } = pass.order;
  const engine = engines.get(name);
  refuseSettings(pass.order, surroundings, engine?.settings);
  if (!engine)
    throw new Error(`this Agent has no engine "${name}", but ${[...engines.keys()].join(' and ') || 'none at all'}`);
  const order = leaveByTunnel(pass.order);
  await using user = await prepareUser(order);
  await using recorder = await startPassRecorder(order, {
    spool: captureSpool,
    controllerUrls,
    clock,
    ...(user.traffic && { traffic: user.traffic }),
  });
  const { har = false, filmstrip = false, mainThread = false } = artefacts ?? {};
  await using session = await engine.open({
    pageLoad,
    browser,
    urls: [...visits.map(({ url }) => url), ...origins],
    recordsHeaders: har,
    filmsViewport: filmstrip,
    recordsMainThread: mainThread,
    ...(user.osUser && { osUser: user.osUser }),
    signal: pass.signal,
  });
  await session.prepare({ ...visits[0]!, signal: pass.signal });
  const leadMs = readSystemClockLead();
  await pass.becomeReady();
  let loadBefore = readLoad();
  await pass.awaitStart(() => (loadBefore = readLoad()));
  await visitAll(pass, surroundings, { session, recorder, leadMs });
  const load = measureLoad(loadBefore);
  await recorder.finish();
  return load;
}

/** Only the operator of this machine may let a browser do more than load pages. */
function refuseSettings(
  { engine, browser }: PassOrder,
  { agent, isAnyPreferenceAllowed }: PassSurroundings,
  settings: Engine['settings'],
): void {
  const refusal = isAnyPreferenceAllowed ? null : explainRefusedSettings(browser, { engine, settings, agent });
  if (refusal !== null) throw new AppError('preference-not-allowed', refusal);
}

/** `leadMs`: of the clock that Snapshots have before that of this process. */
async function visitAll(
  pass: PassRunner,
  { spool, pictureSpool }: PassSurroundings,
  { session, recorder, leadMs }: { session: EngineSession; recorder: PassRecorder; leadMs: number },
): Promise<void> {
  const { visits, artefacts, isInStep = false } = pass.order;
  const { signal } = pass;
  const waits = new ProcessWaits(() => session.processId);
  for (const [sequence, { url, untilMark, replay, leg, restMs }] of visits.entries()) {
    const pictures = new VisitPictures(artefacts);
    if (isInStep && sequence > 0) {
      // What fails here fails again in the Visit, which has an outcome for it.
      await session.prepare({ url, untilMark, replay, leg, restMs, signal }).catch(() => signal.throwIfAborted());
      await pass.awaitVisit(sequence);
    }
    const { visit, navigatedEpochMs, offset } = await pass.visit({ sequence, leadMs, waits }, (onNavigate) =>
      session.visit({ url, untilMark, replay, leg, restMs, signal, onNavigate, ...pictures.receivers }),
    );
    signal.throwIfAborted();
    const { outcome } = visit;
    const endedEpochMs = outcome.status === 'ok' ? outcome.snapshot.takenEpochMs - leadMs : epochClock();
    spool.add({ ...visit, ...(await pictures.keep(pictureSpool)) });
    recorder.addVisit({ visitId: visit.id, startedEpochMs: navigatedEpochMs, endedEpochMs }, offset);
    pass.reportVisit(visit);
  }
}

/** The order with the interface by which the User Agent's traffic leaves: that of a tunnel that begins on this host, where it has the address. */
export function leaveByTunnel(order: PassOrder, addresses: InterfaceAddresses = readInterfaceAddresses()): PassOrder {
  const { sourceAddress, tunnelInterface } = order;
  if (sourceAddress === undefined || tunnelInterface === undefined) return order;
  const isHere = addresses.get(tunnelInterface)?.includes(normaliseAddress(sourceAddress)) ?? false;
  return isHere ? { ...order, interface: tunnelInterface } : order;
}

async function keepScreenshot(spool: PictureSpool, taken: TakenScreenshot): Promise<Screenshot> {
  return taken.kind === 'absent' ? taken : { kind: 'kept', ...(await spool.keep(taken.jpeg)) };
}

async function keepFilmstrip(spool: PictureSpool, taken: TakenFilmstrip): Promise<Filmstrip> {
  if (taken.kind === 'absent') return taken;
  const { frames, ...rest } = taken;
  return {
    ...rest,
    kind: 'kept',
    frames: await Promise.all(
      frames.map(async ({ shownEpochMs, jpeg }) => ({ shownEpochMs, ...(await spool.keep(jpeg)) })),
    ),
  };
}
