import { isMapping, type Json } from './mutate-value.ts';

type Step = string | number;

/** A smaller value that is still `good`, found by leaving out and shortening what can be, one place after another, until no place can be. */
export async function minimiseValue(
  value: Json,
  isGood: (value: Json) => boolean | Promise<boolean>,
  { maximumTries }: { maximumTries: number },
): Promise<Json> {
  let smallest = value;
  let tries = 0;
  const shrinkAt = async (path: Step[]): Promise<void> => {
    for (let hasShrunk = true; hasShrunk;) {
      hasShrunk = false;
      for (const smaller of listSmaller(readAt(smallest, path))) {
        if (++tries > maximumTries) return;
        const candidate = writeAt(smallest, path, smaller);
        if (!(await isGood(candidate))) continue;
        smallest = candidate;
        hasShrunk = true;
        break;
      }
    }
    const node = readAt(smallest, path);
    const steps: Step[] = Array.isArray(node) ? [...node.keys()] : isMapping(node) ? Object.keys(node) : [];
    for (const step of steps) await shrinkAt([...path, step]);
  };
  for (let before = ''; before !== JSON.stringify(smallest) && tries < maximumTries;) {
    before = JSON.stringify(smallest);
    await shrinkAt([]);
  }
  return smallest;
}

/** What the node itself can become, the greatest steps first. */
function* listSmaller(node: Json): Generator<Json> {
  if (typeof node === 'string') {
    if (node.length > 1) yield node.slice(0, Math.floor(node.length / 2));
    if (node.length > 1) yield node.slice(Math.ceil(node.length / 2));
    if (node.length > 0) yield node.slice(1);
  } else if (typeof node === 'number') {
    if (node !== 0) yield 0;
    if (Math.trunc(node) !== node) yield Math.trunc(node);
    if (Math.abs(node) > 1) yield Math.trunc(node / 2);
  } else if (Array.isArray(node)) {
    for (let size = node.length; size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start + size <= node.length; start += size)
        yield [...node.slice(0, start), ...node.slice(start + size)];
    }
  } else if (isMapping(node)) {
    const entries = Object.entries(node);
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name));
  }
}

function readAt(value: Json, path: readonly Step[]): Json {
  return path.reduce<Json>(
    (node, step) => (Array.isArray(node) ? node[Number(step)]! : (node as { [key: string]: Json })[step]!),
    value,
  );
}

function writeAt(value: Json, [step, ...rest]: readonly Step[], inner: Json): Json {
  if (step === undefined) return inner;
  if (Array.isArray(value)) return value.with(Number(step), writeAt(value[Number(step)]!, rest, inner));
  return Object.fromEntries(
    Object.entries(value as { [key: string]: Json }).map(([name, each]) => [
      name,
      name === step ? writeAt(each, rest, inner) : each,
    ]),
  );
}
