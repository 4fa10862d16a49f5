import { splitParts } from './variables-text.ts';

/** Values as one types them in a sweep: `256, 500, "a, b"`. */
export function writeValues(value: unknown): string {
  if (Array.isArray(value)) return value.map(writeValue).join(', ');
  return value === undefined || value === null ? '' : writeValue(value);
}

export function readValues(text: string): unknown {
  return split(text, ',').map(readValue);
}

/** A combination, such as `rateKbps=1000|2000, mode=reno`: of `rateKbps` either value fits. */
export function writeCombination(value: unknown): string {
  if (typeof value === 'string') return value;
  return Object.entries(toMapping(value))
    .map(([name, values]) => `${name}=${(Array.isArray(values) ? values : [values]).map(writeValue).join('|')}`)
    .join(', ');
}

/** The combination of such a text; the text itself, which validation rejects, where it is none. */
export function readCombination(text: string): unknown {
  const entries: [string, unknown][] = [];
  for (const part of split(text, ',')) {
    const [name, rest] = splitName(part);
    if (name === null) return text;
    const values = split(rest, '|').map(readValue);
    entries.push([name, values.length === 1 ? values[0] : values]);
  }
  return Object.fromEntries(entries);
}

/** Combinations, one on each line. */
export function writeCombinations(value: unknown): string {
  if (Array.isArray(value)) return value.map(writeCombination).join('\n');
  return typeof value === 'string' ? value : '';
}

export function readCombinations(text: string): unknown {
  return splitParts(text, '\n').map(readCombination);
}

/** Variables of a Scenario, `name=value` on each line. A text that looks like a number is in quotes. */
export function writeScenarioVariables(value: unknown): string {
  if (typeof value === 'string') return value;
  return Object.entries(toMapping(value))
    .map(
      ([name, each]) => `${name}=${typeof each === 'string' && !isPlain(each) ? JSON.stringify(each) : String(each)}`,
    )
    .join('\n');
}

export function readScenarioVariables(text: string): unknown {
  const entries: [string, unknown][] = [];
  for (const line of splitParts(text, '\n')) {
    const [name, rest] = splitName(line);
    if (name === null) return text;
    const value = readValue(rest);
    entries.push([name, typeof value === 'boolean' ? rest : value]);
  }
  return Object.fromEntries(entries);
}

/** Whether it is read again as the text that it is, on a line of its own. */
function isPlain(text: string): boolean {
  return text === text.trim() && !/^"|[\r\n]/.test(text) && (typeof readValue(text) !== 'number' || text === '');
}

function writeValue(value: unknown): string {
  if (typeof value === 'string') {
    const isAlone = value !== '' && !/[",|\r\n]/.test(value) && value === value.trim() && readValue(value) === value;
    return isAlone ? value : JSON.stringify(value);
  }
  return JSON.stringify(value);
}

/** A number, true, false, a text, or a text in quotes. */
function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text !== '' && Number.isFinite(Number(text))) return Number(text);
  if (!/^".*"$/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

function splitName(text: string): [name: string, rest: string] | [null, null] {
  const match = /^([^=]+)=(.*)$/.exec(text);
  return match ? [match[1]!.trim(), match[2]!.trim()] : [null, null];
}

/** The parts between separators that are not in quotes, without empty ones. */
function split(text: string, separator: ',' | '|'): string[] {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted && character === '\\') index++;
    if (isQuoted || character !== separator) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter(Boolean);
}

function toMapping(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
