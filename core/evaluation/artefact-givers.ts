import { artefactEngines, type ArtefactName, type ArtefactSettings, type PassArtefacts } from './artefact-settings.ts';
import type { Engine } from './users/user-agent.ts';

interface Asked {
  artefacts: ArtefactSettings;
  userAgents: readonly { name: string; engine: Engine }[];
  repetition: { warmUp: boolean };
}

/** Which User Agents give an artefact that the Evaluation asks for, and which cannot. */
export interface ArtefactShare {
  artefact: ArtefactName;
  /** In which Rounds. `none`: of the warm-up, and there is none. */
  rounds: 'all' | 'warm-up' | 'none';
  givers: { name: string; engine: Engine }[];
  others: { name: string; engine: Engine }[];
}

const nouns: Record<ArtefactName, string> = {
  har: 'Headers',
  screenshot: 'Screenshots',
  filmstrip: 'Films',
  mainThread: 'The main thread',
};

/** What an engine does not do, after its name. */
const lacks: Record<ArtefactName, string> = {
  har: 'records no headers',
  screenshot: 'takes no screenshots',
  filmstrip: 'makes no films',
  mainThread: 'does not record the main thread',
};

/** Of more, only their number is said. */
const mostNames = 8;

/** One for each artefact that is asked for. */
export function shareArtefacts({ artefacts, userAgents, repetition }: Asked): ArtefactShare[] {
  return listAsked(artefacts).map((artefact) => ({
    artefact,
    rounds: artefacts[artefact] !== 'warm-up' ? 'all' : repetition.warmUp ? 'warm-up' : 'none',
    givers: userAgents.filter(({ engine }) => givesArtefact(engine, artefact)),
    others: userAgents.filter(({ engine }) => !givesArtefact(engine, artefact)),
  }));
}

export function givesArtefact(engine: Engine, artefact: ArtefactName): boolean {
  return artefactEngines[artefact].includes(engine);
}

/** What the Visits of one Pass are to give. */
export function orderArtefacts(
  artefacts: ArtefactSettings,
  { engine, isWarmUp }: { engine: Engine; isWarmUp: boolean },
): PassArtefacts {
  const isOrdered = (artefact: ArtefactName) => {
    const asked = artefacts[artefact];
    return (asked === 'warm-up' ? isWarmUp : asked) && givesArtefact(engine, artefact);
  };
  return {
    har: isOrdered('har'),
    screenshot: isOrdered('screenshot'),
    filmstrip: isOrdered('filmstrip'),
    ...(isOrdered('mainThread') && { mainThread: true }),
  };
}

/** `Films of alice, not of bob: firefox makes no films`. */
export function describeShare({ artefact, rounds, givers, others }: ArtefactShare): string {
  if (rounds === 'none') return `${nouns[artefact]} of nobody: there is no warm-up Block`;
  const where = rounds === 'warm-up' ? ' in the warm-up Block' : '';
  const of = givers.length === 0 ? 'of nobody' : `of ${listNames(givers)}${where}`;
  if (others.length === 0) return `${nouns[artefact]} ${of}`;
  const engines = [...new Set(others.map(({ engine }) => engine))];
  const whose = givers.length === 0 ? '' : `, not of ${listNames(others)}`;
  return `${nouns[artefact]} ${of}${whose}: ${engines.map((engine) => `${engine} ${lacks[artefact]}`).join(', ')}`;
}

/** Why a Visit has no such artefact, though the Evaluation asks for it; null where it can have it, or nobody asked. */
export function explainUngiven(
  { artefacts, userAgents }: Pick<Asked, 'artefacts' | 'userAgents'>,
  artefact: ArtefactName,
  { userAgent, warmUp }: { userAgent: string; warmUp: boolean },
): string | null {
  const engine = userAgents.find(({ name }) => name === userAgent)?.engine;
  if (engine === undefined || artefacts[artefact] === false) return null;
  if (!givesArtefact(engine, artefact)) return `${engine} ${lacks[artefact]}`;
  return artefacts[artefact] === 'warm-up' && !warmUp
    ? 'only the warm-up Block is filmed, which no figure includes'
    : null;
}

/** Evaluations of earlier versions may ask for these in vain, and remain valid. */
const mayBeInVain: ReadonlySet<ArtefactName> = new Set(['har', 'screenshot']);

/** What is asked for in vain: no User Agent gives it. */
export function findRefusedArtefacts(asked: Asked): { artefact: ArtefactName; message: string }[] {
  return shareArtefacts(asked)
    .filter(({ artefact, givers }) => givers.length === 0 && !mayBeInVain.has(artefact))
    .map(({ artefact }) => {
      const engines = artefactEngines[artefact].join(', ');
      return {
        artefact,
        message: `is given by the engines ${engines} alone, and no User Agent has one of them: leave it out, or choose one`,
      };
    });
}

function listAsked(artefacts: ArtefactSettings): ArtefactName[] {
  return (Object.keys(artefactEngines) as ArtefactName[]).filter((artefact) => artefacts[artefact] !== false);
}

function listNames(userAgents: readonly { name: string }[]): string {
  if (userAgents.length > mostNames) return `${userAgents.length} User Agents`;
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(userAgents.map(({ name }) => name));
}
