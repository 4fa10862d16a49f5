import { readTrait, type MarkedScenario } from '#core/evaluation/scenarios/scenario-trait.ts';
import { baselineColour, scenarioColours } from './series-colours.ts';

export type MarkerShape = 'circle' | 'rect' | 'triangle' | 'rectRot' | 'triangleDown' | 'crossRot' | 'star';

/** How a Scenario is drawn in every place: a colour and, for those who cannot distinguish it, a shape. */
export interface ScenarioStyle {
  /** On white. */
  colour: string;
  shape: MarkerShape;
  isBaseline: boolean;
}

const shapes: MarkerShape[] = ['rect', 'triangle', 'rectRot', 'triangleDown', 'crossRot', 'star'];
const baselineShapes: MarkerShape[] = ['circle', ...shapes];

/** Places in the lists of colours and shapes. */
export interface Preference {
  colour: number;
  shape: number;
}

const [blue, orange, green, magenta, brown, teal, olive] = [0, 1, 2, 3, 4, 5, 6] as const;
const [square, triangle, diamond, triangleDown, cross, star] = [0, 1, 2, 3, 4, 5] as const;

/** So that one thing has one look in all figures and studies. Those that are compared with each other differ in both. */
const knownLooks = new Map<string, Preference>(
  Object.entries({
    'http/1.1': [blue, square],
    h2: [orange, triangle],
    h3: [green, diamond],
    https: [magenta, triangleDown],
    spdy: [brown, star],
    'http/1.0': [olive, cross],
    httpep: [teal, star],
    'httpep fifo': [brown, square],
    'httpep turns': [magenta, diamond],
    'httpep least-service-first': [green, triangleDown],
    'httpep round-robin': [orange, cross],
    'httpep classes': [blue, triangle],
    'httpep jpeg': [olive, triangleDown],
    'httpep webp': [green, cross],
    squid: [magenta, triangle],
    ziproxy: [brown, cross],
    proxy: [magenta, square],
    pep: [olive, cross],
    tunnel: [brown, star],
    cubic: [blue, square],
    reno: [orange, triangle],
    bic: [green, diamond],
    hybla: [magenta, triangleDown],
    vegas: [brown, cross],
    westwood: [teal, star],
    bbr: [olive, square],
    '1 connection': [blue, square],
    '2 connections': [teal, star],
    '3 connections': [orange, triangle],
    '4 connections': [brown, cross],
    '6 connections': [green, diamond],
    '8 connections': [magenta, triangleDown],
  }).map(([trait, [colour, shape]]) => [trait, { colour: colour!, shape: shape! }]),
);

/** What is to be drawn apart from the others. */
interface Styled {
  isBaseline: boolean;
  /** Those of one key have one colour. */
  key: string;
  /** The first that is free is taken. */
  preferences: Preference[];
  /** Lower ones choose first. */
  rank: number;
}

/** Styles of an Evaluation's Scenarios, by name. */
export function styleScenarios(scenarios: readonly MarkedScenario[]): Map<string, ScenarioStyle> {
  const styles = styleInOrder(scenarios);
  return new Map(scenarios.map(({ name }, index) => [name, styles[index]!]));
}

interface StyleOptions {
  /** Whether Scenarios of different groups are in different charts: one thing then has the same mark in each. */
  areGroupsApart?: boolean;
}

/**
 * Styles of Scenarios, in their order: baselines grey, the others in the colour and shape of what sets them apart, which depends on no other Scenario. Where two
 * would look alike, the one with more words gets a colour by its name, or the next that is free. Seven colours and six shapes give 42 different pairs.
 */
export function styleInOrder(
  scenarios: readonly MarkedScenario[],
  { areGroupsApart = false }: StyleOptions = {},
): ScenarioStyle[] {
  const names = nameInGroups(scenarios);
  const traits = scenarios.map(({ trait }, index) => trait ?? readTrait(names[index]!));
  const order = scenarios
    .map((_, index) => index)
    .toSorted(
      (one, other) =>
        Number(traits[one] === null) - Number(traits[other] === null) ||
        names[one]!.length - names[other]!.length ||
        (names[one]! < names[other]! ? -1 : 1),
    );
  const taken = new Set<string>();
  const styled = new Map<number, Styled>();
  for (const [rank, index] of order.entries()) {
    const { baseline: isBaseline, group = null } = scenarios[index]!;
    const [name, trait] = [names[index]!, traits[index] ?? null];
    const place = JSON.stringify([group, trait]);
    const isFirst = trait !== null && !taken.has(place);
    if (!isBaseline) taken.add(place);
    const key = isFirst ? trait : name;
    styled.set(index, { isBaseline, key, preferences: preferLook(key, isFirst ? trait : null), rank });
  }
  const areTogether = (one: number, other: number) =>
    !areGroupsApart || (scenarios[one]!.group ?? null) === (scenarios[other]!.group ?? null);
  return resolveStyles(
    scenarios.map((_, index) => styled.get(index)!),
    areTogether,
  );
}

/** Names without what all of their group have in them, such as `HTTP/2` of `HTTP/2, 1 % loss`. */
export function nameInGroups(scenarios: readonly Pick<MarkedScenario, 'name' | 'group'>[]): string[] {
  const groups = Map.groupBy(scenarios, ({ group }) => group ?? null);
  return scenarios.map(({ name, group }) => {
    const own = groups.get(group ?? null)!;
    if (groups.size < 2 || own.length < 2) return name;
    const isShared = (part: string) => own.every((other) => other.name.split(', ').includes(part));
    const parts = name.split(', ').filter((part) => !isShared(part));
    return parts.length === 0 ? name : parts.join(', ');
  });
}

/** The look of a trait, or of the strongest part of it; then one by the letters of the name, which is always the same. */
export function preferLook(name: string, trait: string | null): Preference[] {
  const known = trait === null ? [] : [trait, trait.split(' + ')[0]!].flatMap((each) => knownLooks.get(each) ?? []);
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (const letter of name.toLowerCase()) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  const [colour, shape] = [hash % scenarioColours.length, Math.floor(hash / scenarioColours.length) % shapes.length];
  return [...known, { colour, shape }];
}

/** One colour for each key, and shapes that set apart what is in one chart: all of them while there are enough, then those of one colour. */
export function resolveStyles(
  items: readonly Styled[],
  areTogether: (one: number, other: number) => boolean,
): ScenarioStyle[] {
  const order = items.map((_, index) => index).toSorted((one, other) => items[one]!.rank - items[other]!.rank);
  const ofKeys = chooseColours(order.map((index) => items[index]!).filter(({ isBaseline }) => !isBaseline));
  const colours = items.map(({ isBaseline, key }) => (isBaseline ? baselineColour : ofKeys.get(key)!).light);
  const chosen = new Map<number, MarkerShape>();
  const choose = (index: number, wanted: MarkerShape, all: readonly MarkerShape[]) => {
    const others = [...chosen].filter(([other]) => areTogether(index, other));
    const isFree = (shape: MarkerShape) => others.every(([, own]) => own !== shape);
    const isOther = (shape: MarkerShape) =>
      others.every(([other, own]) => own !== shape || colours[other] !== colours[index]);
    const inOrder = [wanted, ...all];
    chosen.set(index, inOrder.find(isFree) ?? inOrder.find(isOther) ?? wanted);
  };
  const wantedBy = ({ isBaseline, preferences }: Styled) =>
    isBaseline ? 'circle' : shapes[preferences[0]!.shape % shapes.length]!;
  // What comes again, such as the same thing in another group, takes what the first ones leave. Baselines are in the order in which they are given.
  const inTurn = [...items.keys()].filter((index) => items[index]!.isBaseline);
  const [firsts, repeats] = partFirsts([...inTurn, ...order.filter((index) => !items[index]!.isBaseline)], (index) =>
    items[index]!.isBaseline ? null : items[index]!.key,
  );
  for (const index of [...firsts, ...repeats])
    choose(index, wantedBy(items[index]!), items[index]!.isBaseline ? baselineShapes : shapes);
  return items.map(({ isBaseline }, index) => ({ colour: colours[index]!, shape: chosen.get(index)!, isBaseline }));
}

/** The first of each key, and the others. */
function partFirsts(indices: readonly number[], keyOf: (index: number) => string | null): [number[], number[]] {
  const firsts = new Set([...Map.groupBy(indices, keyOf).values()].map(([first]) => first));
  return [indices.filter((index) => firsts.has(index)), indices.filter((index) => !firsts.has(index))];
}

type Colour = (typeof scenarioColours)[number];

/** By key, in the order in which keys choose: the first preferred colour that is used least. */
function chooseColours(items: readonly Styled[]): Map<string, Colour> {
  const chosen = new Map<string, Colour>();
  const uses = scenarioColours.map(() => 0);
  for (const { key, preferences } of items) {
    if (chosen.has(key)) continue;
    const least = Math.min(...uses);
    const wanted = preferences.map(({ colour }) => colour % scenarioColours.length);
    const next = scenarioColours.map((_, step) => (wanted.at(-1)! + step) % scenarioColours.length);
    const place = [...wanted, ...next].find((each) => uses[each] === least)!;
    uses[place]!++;
    chosen.set(key, scenarioColours[place]!);
  }
  return chosen;
}

/** How a legend of bars shows it. */
export const asBar = (style: ScenarioStyle): ScenarioStyle => ({ ...style, shape: 'rect' });

/** How a chart names a Scenario: the baseline is marked. */
export function labelScenario(name: string, styles: Map<string, ScenarioStyle>): string {
  return styles.get(name)?.isBaseline ? `${name} (baseline)` : name;
}
