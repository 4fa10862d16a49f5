import type { ArtefactSettings } from '#core/evaluation/artefact-settings.ts';
import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import type { Screenshot } from '#core/protocol/screenshot.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { TakenFilmstrip, TakenScreenshot, VisitRequest } from '../engines/engine.ts';
import type { PictureSpool } from '../spool/picture-spool.ts';

/** The pictures of one Visit that its Evaluation asks for, from the engine to the spool. */
export class VisitPictures {
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
