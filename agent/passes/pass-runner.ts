import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HostDelayWatch } from '#core/agent/host-delay-watch.ts';
import { startAt } from '#core/agent/start-at.ts';
import { AppError } from '#core/app-error.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import { explainRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import type { Engine as EngineName } from '#core/evaluation/users/user-agent.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { asStorable } from '#core/protocol/as-storable.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { summarizeOutcome } from '#core/protocol/summarize-outcome.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { startPassRecorder, type PassRecorder } from '../artefacts/pass-recorder.ts';
import type { Engine, EngineSession, TakenFilmstrip, TakenScreenshot, VisitRequest } from '../engines/engine.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { realTime, sleep } from '#core/clock/time.ts';
import { measureLoad, readLoad } from '../host/measure-load.ts';
import { ProcessWaits } from '../host/process-waits.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';
import type { CaptureSpool } from '../spool/capture-spool.ts';
import type { PictureSpool } from '../spool/picture-spool.ts';
import type { VisitSpool } from '../spool/visit-spool.ts';
import { prepareUser } from '../users/prepare-user.ts';
import { normaliseAddress, readInterfaceAddresses, type InterfaceAddresses } from '../users/interface-addresses.ts';
import type { ArtefactSettings } from '#core/evaluation/artefact-settings.ts';
import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import type { Screenshot } from '#core/protocol/picture.ts';

/** The pictures of one Visit that its Evaluation asks for, from the engine to the spool. */
class VisitPictures {
  readonly #asked: ArtefactSettings | undefined;
  #screenshot: TakenScreenshot = { kind: 'absent', reason: 'There was no page, or its engine takes no screenshots' };
  #filmstrip: TakenFilmstrip = { kind: 'absent', reason: 'There was no page, or its engine makes no filmstrips' };

  constructor(asked: ArtefactSettings | undefined) {
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

export interface PassSurroundings {
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
  log: Logger;
}

type PassState = 'preparing' | 'ready' | 'running' | 'ended' | 'lost';

/** One Pass on this host, from the order to its end: browser up, ready, start at the given instant, its URLs in sequence, browser down. */
export class PassRunner {
  readonly order: PassOrder;
  state: PassState = 'preparing';
  /** How busy this host was over the Pass; null before its end. */
  load: HostLoad | null = null;
  readonly #surroundings: PassSurroundings;
  readonly #cancellation = new AbortController();
  #isStarted = false;
  readonly #start = Promise.withResolvers<number>();

  constructor(order: PassOrder, surroundings: PassSurroundings) {
    this.order = order;
    this.#surroundings = surroundings;
    // Rejected by a cancellation that may come while nobody waits for the start.
    this.#start.promise.catch(() => undefined);
  }

  /** Whether it loads pages, or is about to. */
  get isLoading(): boolean {
    return this.#isStarted && !this.isOver;
  }

  get isOver(): boolean {
    return this.state === 'ended' || this.state === 'lost';
  }

  /** Resolves when the Pass is over, however it ended; what went wrong is reported to the Controller. */
  async run(): Promise<void> {
    const { engines, clock, send, log, captureSpool, controllerUrls } = this.#surroundings;
    const { passId, pageLoad, browser, artefacts } = this.order;
    try {
      this.#cancellation.signal.throwIfAborted();
      const engine = engines.get(this.order.engine);
      this.#refuseSettings(engine?.settings);
      if (!engine)
        throw new Error(
          `this Agent has no engine "${this.order.engine}", but ${[...engines.keys()].join(' and ') || 'none at all'}`,
        );
      const order = leaveByTunnel(this.order);
      await using user = await prepareUser(order);
      await using recorder = await startPassRecorder(order, {
        spool: captureSpool,
        controllerUrls,
        clock,
        ...(user.traffic && { traffic: user.traffic }),
      });
      const { har = false, filmstrip = false } = artefacts ?? {};
      await using session = await engine.open({
        pageLoad,
        browser,
        urls: this.order.visits.map(({ url }) => url),
        recordsHeaders: har,
        filmsViewport: filmstrip,
        ...(user.osUser && { osUser: user.osUser }),
        signal: this.#cancellation.signal,
      });
      await session.prepare(this.order.visits[0]!.restMs);
      const leadMs = readSystemClockLead();
      const offset = await clock.improve(this.#cancellation.signal);
      send({ type: 'clock-read', ...offset });
      this.state = 'ready';
      send({ type: 'pass-ready', passId });

      const startEpochMs = await this.#start.promise;
      const loadBefore = readLoad();
      await startAt(startEpochMs - clock.offset.offsetMs, {
        epochClock,
        sleep,
        takeTurns: setImmediate,
        signal: this.#cancellation.signal,
      });
      this.state = 'running';
      await this.#visitAll(session, { recorder, leadMs });
      this.load = measureLoad(loadBefore);
      await recorder.finish();
    } catch (error) {
      this.state = 'lost';
      if (this.#cancellation.signal.aborted) return;
      log.error({ err: error, passId }, 'A Pass was lost');
      send({ type: 'pass-lost', passId, problem: `${this.order.userAgent}: ${(error as Error).message}` });
      return;
    }
    // Reported after the browser is gone, so that its end does not fall into the next Round.
    this.state = 'ended';
    send({ type: 'pass-ended', passId, load: this.load });
  }

  startAt(controllerEpochMs: number): void {
    this.#isStarted = true;
    this.#start.resolve(controllerEpochMs);
  }

  cancel(reason: string): void {
    const error = new Error(reason);
    this.#start.reject(error);
    this.#cancellation.abort(error);
  }

  /** Only the operator of this machine may let a browser do more than load pages. */
  #refuseSettings(settings: Engine['settings']): void {
    const { agent, isAnyPreferenceAllowed } = this.#surroundings;
    const refusal = isAnyPreferenceAllowed
      ? null
      : explainRefusedSettings(this.order.browser, { engine: this.order.engine, settings, agent });
    if (refusal !== null) throw new AppError('preference-not-allowed', refusal);
  }

  /** `leadMs`: of the clock that Snapshots have before that of this process. */
  async #visitAll(
    session: EngineSession,
    { recorder, leadMs }: { recorder: PassRecorder; leadMs: number },
  ): Promise<void> {
    const { spool, pictureSpool, clock, send } = this.#surroundings;
    const { passId, visits, artefacts } = this.order;
    const { signal } = this.#cancellation;
    const waits = new ProcessWaits(() => session.processId);
    for (const [sequence, { url, repetition, untilMark, leg, restMs }] of visits.entries()) {
      const { offsetMs, errorMs } = clock.offset;
      let navigatedEpochMs = epochClock();
      using watch = new HostDelayWatch({
        epochClock: () => epochClock() + leadMs,
        sleep: realTime.sleep,
        waits,
      });
      const onNavigate = (epochMs: number) => {
        navigatedEpochMs = epochMs;
        watch.begin();
        if (sequence === 0) send({ type: 'pass-started', passId, startedEpochMs: epochMs + offsetMs });
      };
      const pictures = new VisitPictures(artefacts);
      const outcome = asStorable(
        await session.visit({ url, untilMark, leg, restMs, signal, onNavigate, ...pictures.receivers }),
      );
      signal.throwIfAborted();
      const endedEpochMs = outcome.status === 'ok' ? outcome.snapshot.takenEpochMs - leadMs : epochClock();
      const visit: Visit = {
        id: randomUUID(),
        passId,
        sequence,
        url,
        repetition,
        startedEpochMs: navigatedEpochMs + offsetMs,
        clockOffsetMs: offsetMs - leadMs,
        clockErrorMs: errorMs,
        hostDelayMs: watch.delayOf(outcome),
        outcome,
        ...(await pictures.keep(pictureSpool)),
      };
      spool.add(visit);
      recorder.addVisit({ visitId: visit.id, startedEpochMs: navigatedEpochMs, endedEpochMs }, { offsetMs, errorMs });
      send({ type: 'visit-ended', passId, sequence, url, ...summarizeOutcome(outcome) });
    }
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
