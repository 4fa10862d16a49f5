import { InvalidArgumentError, Option } from 'commander';
import { mostAddedRounds } from '#core/evaluation/rounds/repetition.ts';
import { addLabel, type RunLabels } from '#core/protocol/api/run-labels.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { maximumUserCount } from '#testbed/namespaces/addresses.ts';
import { latencyOrigins } from '#core/metrics/latency-origin.ts';

/** The port of `up` and `demo`, unless another is requested. */
export const defaultPort = 8420;

const greatestSeed = 2 ** 31 - 1;
/** As many as the Controller lists at once. */
const mostRunsListed = 200;
const mostHostsAtATime = 200;
const mostMinutes = 7 * 24 * 60;

const unitBytes = new Map([
  ['', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
  ['KIB', 2 ** 10],
  ['MIB', 2 ** 20],
  ['GIB', 2 ** 30],
  ['TIB', 2 ** 40],
]);

/** Reads an option that is a whole number in these bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return number;
  };
}

/** The URL of a Controller, without a slash at its end. */
export function readControllerUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be the complete URL of a Controller, such as http://127.0.0.1:8420.');
  return text.replace(/(?<!\/)\/+$/, '');
}

/** One Controller, or several with commas between. */
export function readControllerUrls(text: string): string[] {
  return text.split(',').map((each) => readControllerUrl(each.trim()));
}

/** The address of a site: scheme, host and port, without a path, because the web UI lives at its root. */
export function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new InvalidArgumentError(
      'Write scheme, host and port only, such as https://http-ae.example or http://192.0.2.7:8420',
    );
  }
  return url.origin;
}

/** A TCP port. */
export function readPort(text: string): number {
  const port = readPortNumber(text);
  if (port === null || port === 0) throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
  return port;
}

/** A TCP port to listen on. 0: any free one, which the system chooses. */
export function readPortOrAny(text: string): number {
  const port = readPortNumber(text);
  if (port === null) throw new InvalidArgumentError('A port is a whole number from 1 to 65535, or 0 for any free one.');
  return port;
}

function readPortNumber(text: string): number | null {
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : null;
}

/** The name of a host in Evaluations. */
export function readAgentName(text: string): string {
  const { success, data, error } = NameSchema.safeParse(text);
  if (!success) throw new InvalidArgumentError(`It ${error.issues[0]!.message}.`);
  return data;
}

/** The id of a Run, as its address /runs/RUN has it. */
export function readRunId(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new InvalidArgumentError('It must be the id of a Run, a whole number: "./http-ae runs" lists them.');
  return text;
}

/** The id of an Evaluation, as its address /evaluations/ID has it. */
export function readEvaluationId(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new InvalidArgumentError('It must be the id of an Evaluation, a whole number: its address ends with it.');
  return text;
}

/** One more `KEY=VALUE` beside the labels that were given before. */
export function readLabel(text: string, earlier: RunLabels): RunLabels {
  const read = addLabel(text, earlier);
  if (read.kind === 'wrong') throw new InvalidArgumentError(read.problem);
  return read.labels;
}

/** How many Rounds of each Scenario to add to a Run. */
export const readAddedRounds = wholeNumber(1, mostAddedRounds);

/** How many Runs to list. */
export const readRunCount = wholeNumber(1, mostRunsListed);

/** How many users have a namespace of their own. */
export const readUserCount = wholeNumber(0, maximumUserCount);

/** At how many hosts to work at a time. */
export const readHostCount = wholeNumber(1, mostHostsAtATime);

/** A length of time in minutes. */
export function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || minutes === 0 || minutes > mostMinutes)
    throw new InvalidArgumentError(`It must be a number above 0, and at most ${mostMinutes}.`);
  return minutes;
}

/** The seed of random numbers. */
export const readSeed = wholeNumber(0, greatestSeed);

/** A number of bytes: `5GB`, `500 MB`, `1.5GiB`, `0`. */
export function readSize(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]i?B)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (unitBytes.get((unit ?? '').toUpperCase()) ?? NaN);
  if (!Number.isSafeInteger(Math.round(bytes)))
    throw new InvalidArgumentError('A size is a number of bytes, or one with a unit such as 500MB, 5GB or 5GiB.');
  return Math.round(bytes);
}

/** What the new Run is known by. */
export function labelOption(): Option {
  return new Option(
    '--label <KEY=VALUE>',
    'label of the Run, such as build=1234; repeatable. The trend of the Evaluation can be drawn by it',
  )
    .argParser(readLabel)
    .default({}, 'none');
}

/** From when latencies count. */
export function fromOption(): Option {
  return new Option(
    '--from <MOMENT>',
    'count latencies from navigation-start (the default) or from first-request, which leaves out name resolution, connection and TLS',
  ).choices([...latencyOrigins]);
}

/** `--extension [BROWSER]`: which browser an Agent also runs with the extension in it. */
export function extensionOption(description: string): Option {
  return new Option('--extension [BROWSER]', `${description}, in Chrome or in Firefox (default: chrome)`)
    .choices(['chrome', 'firefox'])
    .preset('chrome');
}

export interface TraceLimitOptions {
  /** In bytes. */
  traceLimit?: number;
}

/** How much the traces of all Runs may take on the disk. */
export function traceLimitOption(): Option {
  return new Option(
    '--trace-limit <SIZE>',
    'most disk space for packet traces, such as 500MB or 20GB. Beyond it the oldest traces are removed; their statistics stay (default: 5GB)',
  ).argParser(readSize);
}
