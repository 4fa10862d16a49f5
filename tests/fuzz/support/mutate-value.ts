export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** From 0 to 1, as `Math.random`. */
export type Random = () => number;

const oddNumbers = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  7,
  8,
  16,
  127,
  128,
  255,
  256,
  1000,
  4095,
  4096,
  32_767,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  0.1,
  -0.5,
  1e-300,
  1.7e308,
  8.64e15,
  1.7e12,
  0xffff_fff0,
];
const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'é',
  '\u{1f600}',
  '__proto__',
  'constructor',
  'toString',
  '{1..9}',
  '{a,b}',
  '{1}',
  '{',
  '}',
  ',',
  '-',
  '..',
  '"',
  "'",
  '\\',
  '\n',
  '\t',
  '<',
  '*a',
  '&a ',
  '!!',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'http://',
  'https://a.example/',
  'file:///',
  'a'.repeat(300),
  '2001:db8::1',
  '10.0.0.1',
  '=1+1',
];

/** Changes a few places of a value. `donor` is another input, of which parts may be taken over: most readily what stands under the same key. */
export function mutateValue(value: Json, { donor, random }: { donor: Json; random: Random }): Json {
  let mutated = value;
  for (let count = 1 + Math.floor(random() ** 2 * 5); count > 0; count--) mutated = mutateOnce(mutated, donor, random);
  return mutated;
}

function mutateOnce(value: Json, donor: Json, random: Random): Json {
  const chosen = Math.floor(random() * countNodes(value));
  let seen = 0;
  const visit = (node: Json, key: string | null): Json => {
    if (seen++ === chosen) return mutateNode(node, { key, donor, random });
    if (Array.isArray(node)) return node.map((each) => visit(each, key));
    return isMapping(node) ? fromEntries(Object.entries(node).map(([name, each]) => [name, visit(each, name)])) : node;
  };
  return visit(value, null);
}

function mutateNode(node: Json, { key, donor, random }: { key: string | null; donor: Json; random: Random }): Json {
  if (random() < 0.2) return pick(findLike(donor, { key, kind: kindOf(node) }), random) ?? node;
  if (random() < 0.02)
    return pick<Json>([null, true, 0, '', [], {}, pick(oddTexts, random)!, pick(oddNumbers, random)!], random)!;
  if (typeof node === 'number') return mutateNumber(node, random);
  if (typeof node === 'string') return mutateText(node, random);
  if (typeof node === 'boolean') return !node;
  if (Array.isArray(node)) return mutateList(node, { donor, key, random });
  return isMapping(node)
    ? mutateMapping(node, donor, random)
    : (pick(findLike(donor, { key, kind: null }), random) ?? node);
}

function mutateNumber(number: number, random: Random): number {
  switch (Math.floor(random() * 5)) {
    case 0:
      return pick(oddNumbers, random)!;
    case 1:
      return number + Math.floor(random() * 33) - 16;
    case 2:
      return Number.isSafeInteger(number) ? Math.abs(number) ^ (1 << Math.floor(random() * 31)) : number / 2;
    case 3:
      return Math.floor(random() * 2 ** Math.floor(random() * 33));
    default:
      return pick([-number, number * 2, Math.floor(number / 2), number + 0.5], random)!;
  }
}

function mutateText(text: string, random: Random): string {
  const start = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, start + Math.floor(random() ** 3 * 20));
  switch (Math.floor(random() * 5)) {
    case 0:
      return pick(oddTexts, random)!;
    case 1:
      return text.slice(0, start) + text.slice(end);
    case 2:
      return text.slice(0, start) + text.slice(start, end).repeat(1 + Math.floor(random() ** 3 * 50)) + text.slice(end);
    case 3:
      return text.slice(0, start) + pick(oddTexts, random)! + text.slice(end);
    default:
      return text.slice(0, start) + String.fromCharCode(Math.floor(32 + random() ** 4 * 300)) + text.slice(start + 1);
  }
}

function mutateList(list: Json[], { donor, key, random }: { donor: Json; key: string | null; random: Random }): Json[] {
  const place = Math.floor(random() * list.length);
  const copy = [...list];
  switch (Math.floor(random() * 5)) {
    case 0:
      copy.splice(place, 1 + Math.floor(random() ** 3 * list.length));
      return copy;
    case 1:
      if (list.length > 0) copy.splice(Math.floor(random() * (list.length + 1)), 0, list[place]!);
      return copy;
    case 2:
      if (list.length > 0) copy.push(...copy.splice(place, 1));
      return copy;
    case 3:
      return list.length === 0 ? copy : Array.from({ length: Math.ceil(random() ** 3 * 40) }, () => list[place]!);
    default: {
      const others = findLike(donor, { key, kind: 'list' }).flatMap((other) => other as Json[]);
      const other = pick(others, random);
      if (other !== undefined) copy.splice(place, 0, other);
      return copy;
    }
  }
}

function mutateMapping(mapping: { [key: string]: Json }, donor: Json, random: Random): Json {
  const entries = Object.entries(mapping);
  const chosen = pick(entries, random);
  switch (Math.floor(random() * 4)) {
    case 0:
      return fromEntries(entries.filter((each) => each !== chosen));
    case 1:
      return fromEntries([...entries, [pick(oddTexts, random)!, chosen?.[1] ?? 0]]);
    case 2: {
      const other = pick(entries, random);
      return fromEntries(entries.map(([name, each]) => [name, name === chosen?.[0] ? (other?.[1] ?? each) : each]));
    }
    default: {
      const [key, each] =
        pick(
          findMappings(donor).flatMap((found) => Object.entries(found)),
          random,
        ) ?? [];
      return key === undefined ? mapping : fromEntries([...entries.filter(([name]) => name !== key), [key, each!]]);
    }
  }
}

/** Every part of a value that stands under this key, or all of this kind where none does. */
function findLike(value: Json, { key, kind }: { key: string | null; kind: string | null }): Json[] {
  const sameKey: Json[] = [];
  const sameKind: Json[] = [];
  const visit = (node: Json, name: string | null) => {
    if (kind === null || kindOf(node) === kind) (name === key ? sameKey : sameKind).push(node);
    if (Array.isArray(node)) for (const each of node) visit(each, name);
    else if (isMapping(node)) for (const [each, inner] of Object.entries(node)) visit(inner, each);
  };
  visit(value, null);
  return sameKey.length > 0 ? sameKey : sameKind;
}

function findMappings(value: Json): { [key: string]: Json }[] {
  if (Array.isArray(value)) return value.flatMap(findMappings);
  return isMapping(value) ? [value, ...Object.values(value).flatMap(findMappings)] : [];
}

function countNodes(value: Json): number {
  const inner = Array.isArray(value) ? value : isMapping(value) ? Object.values(value) : [];
  return inner.reduce((sum: number, each) => sum + countNodes(each), 1);
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

export function isMapping(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Object.fromEntries` makes an own key of "__proto__", too. */
function fromEntries(entries: (readonly [string, Json])[]): Json {
  return Object.fromEntries(entries);
}

function pick<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}
