import { AppError } from '#core/app-error.ts';
import { assertNever } from '#core/assert-never.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { unlessAborted } from '#core/waiting.ts';
import { openLink } from '#testbed/link/open-link.ts';
import {
  enterUserNamespace,
  mayEnterUserNamespace,
  joinUserNamespace,
  listRootless,
} from '#testbed/namespaces/enter-user-namespace.ts';
import { findObstacle, refuseUnprivileged } from '#testbed/namespaces/require-tools.ts';
import { openTestbedNetwork, type TestbedNetwork, removeLeftovers } from '#testbed/namespaces/testbed-network.ts';
import { inlineRateTraces } from '../evaluate/inline-files.ts';
import { prepareFront } from '../origin/run-origin.ts';
import { prepareTools } from './find-testbed-obstacle.ts';
import type { TestbedAction } from './testbed-options.ts';
import { watchParent } from '../agent/watch-parent.ts';
import { watchInterrupts, untilAborted } from '../watch-interrupts.ts';
import { findJoinedController } from './find-joined-controller.ts';
import { findHome } from '../installation.ts';
import { openTestbedOrigin, describeOrigin, listOrigin } from './open-testbed-origin.ts';
import { serveTestbed, listAddresses } from './serve-testbed.ts';
import type { TestbedOptions } from './testbed-options.ts';
import { startInUserNamespace } from './start-in-user-namespace.ts';
import { readRelayTarget } from './read-relay-target.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Place, isAlive, type Owner } from '#testbed/namespaces/namespace-name.ts';
import { describeCheck, describeProfile } from './describe-profile.ts';
import { openLinkChecker } from '#testbed/check/link-checker.ts';
import { quantileOrNull } from '#core/statistics/sample-quantile.ts';
import { readTextFile } from '#httpep/command/read-text-file.ts';
import path from 'node:path';
import { readYaml, InvalidInputError } from '#controller/http/build-router.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { linkPresetNames, type LinkPreset } from '#core/evaluation/network/link-profile-presets.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import type { LinkBackend } from '#testbed/link/link-backend.ts';
import type { OriginProcess } from '../origin/start-origin-process.ts';

const endWithinMs = 20_000;
const pollMs = 50;

/** Throws `invalid-input`, `testbed-refused` before anything was changed, `testbed-failed`, and `link-mismatch` when the link is not what it should be. */
export async function runTestbed(
  { action, profile }: { action: TestbedAction; profile: string | undefined },
  options: TestbedOptions,
): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  if (process.platform !== 'linux')
    throw new AppError('testbed-refused', `The testbed needs Linux network namespaces; this is ${process.platform}`);
  if (action === 'down') {
    await endTestbeds({ isJson: options.json === true, say });
    return;
  }

  if (profile === undefined)
    throw new AppError(
      'invalid-input',
      `"testbed ${action}" needs a link profile, such as "testbed ${action} geo-1m"; see --help`,
    );
  const link = await readLinkProfile(profile);
  await prepareTools({ say, signal });
  if (options.http3) await prepareFront({ say, signal });
  const homeFolder = findHome(process.env);
  await using controller = action === 'up' ? await findJoinedController(options, { homeFolder, say, signal }) : null;
  if ((await findObstacle()) !== null) {
    if (controller && (await mayEnterUserNamespace())) {
      await holdInUserNamespace(controller, signal);
      return;
    }
    await enterUserNamespace(); // does not return where that is allowed
  }
  await refuseUnprivileged();

  if (controller) {
    await serveTestbed(link, { ...options, controller: controller.url, token: controller.token, say, signal });
    return;
  }
  await using network = await openTestbedNetwork({ userCount: options.users, hasIpv6: options.ipv6, signal });
  await using backend = await openLink({ network, profile: link, backend: options.backend });
  await using resources = new AsyncDisposableStack();
  const origin =
    action === 'up' && (options.origin || options.http3)
      ? resources.use(await openTestbedOrigin(network, { homeFolder, http3: options.http3 }))
      : null;
  const testbed: OpenTestbed = { network, backend, profile: link, origin };
  signal.throwIfAborted();
  switch (action) {
    case 'up':
      await holdTestbed(testbed, { isJson: options.json === true, say, signal });
      break;
    case 'check':
      await checkTestbed(testbed, { isJson: options.json === true, say, signal });
      break;
    case 'shell':
      await openShell(testbed, { place: options.in, say, signal });
      break;
    default:
      return assertNever(action);
  }
}

/** Runs this same command, a `testbed up` that joins a Controller, in a user namespace until it ends there; its exit status becomes this process's. */
async function holdInUserNamespace(
  { url, token }: { url: string; token: string },
  interrupt: AbortSignal,
): Promise<void> {
  using parent = watchParent();
  const signal = AbortSignal.any([interrupt, parent.signal]);
  await using inside = startInUserNamespace(process.argv.slice(1), {
    target: readRelayTarget(url),
    environment: { HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: token },
  });
  const end = () => inside.end();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  process.exitCode = await inside.exited;
}

/** Runs the user's shell in a place until it ends; its exit status becomes this process's. */
async function openShell(
  { network, backend, profile }: OpenTestbed,
  { place, say, signal }: { place: Exclude<Place, 'satellite'>; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const other = place === 'ground' ? network.remote : network.ground;
  say(
    `A shell in ${place}, at ${network[place].address}; the other end is ${other.address}. The link is ${profile.name} (${backend.kind}):\n${describeProfile(profile)}`,
  );
  const [file, ...args] = network.enter(place);
  const shell = spawn(file, [...args, process.env.SHELL ?? '/bin/sh'], {
    stdio: 'inherit',
    env: { ...process.env, HTTP_AE_PLACE: place },
  });
  const end = () => shell.kill('SIGHUP'); // as a shell ends whose terminal is gone
  // Ctrl-C is the shell's own, which has the terminal: it interrupts what runs in there.
  const endUnlessInteractive = () => signal.aborted && !process.stdin.isTTY && end();
  signal.addEventListener('abort', endUnlessInteractive, { once: true });
  try {
    const [exitCode, signalName] = (await once(shell, 'close')) as [number | null, string | null];
    process.exitCode = exitCode ?? (signalName === null ? 0 : 1);
  } finally {
    signal.removeEventListener('abort', endUnlessInteractive);
  }
}

/** Prints how to use the testbed, and keeps it until it is stopped or the link fails. Throws why the link failed. */
async function holdTestbed(
  { network, backend, profile, origin }: OpenTestbed,
  { isJson, say, signal }: { isJson: boolean; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { namespaces, ground, remote, users } = network;
  const enterBy = (words: readonly string[]) => [...joinUserNamespace(), ...words].join(' ');
  const enter = (place: 'ground' | 'remote') => enterBy(network.enter(place));
  if (isJson) {
    process.stdout.write(
      `${JSON.stringify({ profile, backend: backend.kind, namespaces, ground, remote, users, origin: describeOrigin(origin) })}\n`,
    );
  } else {
    process.stdout.write(`The link ${profile.name} is up (${backend.kind}):
${describeProfile(profile)}

  ground: ${listAddresses(ground)}   ${enter('ground')} COMMAND
  remote: ${listAddresses(remote)}   ${enter('remote')} COMMAND${users.map((user) => `\n  ${user.place}:  ${listAddresses(user)}   ${enterBy(user.enter)} COMMAND`).join('')}
Outside the link, ground reaches this machine at ${ground.management.hostAddress}, and this machine reaches ground at ${ground.management.address}.
Outside the link, remote reaches this machine at ${remote.management.hostAddress}, and this machine reaches remote at ${remote.management.address}.
${origin ? `${listOrigin(origin)}\n` : ''}`);
  }
  say('Ctrl-C removes it');
  const failures = [backend.failed, ...(origin ? [origin.failed] : [])];
  await untilAborted(AbortSignal.any([signal, ...failures]));
  for (const failed of failures) failed.throwIfAborted();
}

/** Measures the link and prints the figures. Throws `link-mismatch` when they are not what the profile says. */
async function checkTestbed(
  { network, backend, profile }: OpenTestbed,
  { isJson, say, signal }: { isJson: boolean; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  say(describeCheck(profile, backend.kind));
  await using checker = await openLinkChecker(network);
  const { isAsWritten, findings, measurement, tookMs } = await unlessAborted(checker.run(profile), signal);
  const roundTripP99Ms = quantileOrNull(measurement.roundTripsMs, 0.99);
  if (isJson)
    process.stdout.write(
      `${JSON.stringify({ profile, backend: backend.kind, isAsWritten, findings, roundTripP99Ms, tookMs })}\n`,
    );
  else
    process.stdout.write(
      `${[...findings.map(describeFinding), `round trip p99: ${roundTripP99Ms?.toFixed(2) ?? 'no reply'} ms`].join('\n')}\n`,
    );
  if (!isAsWritten) throw new AppError('link-mismatch', explainMismatch(profile, findings));
}

/** The profile of that name, or in that YAML file. Throws `invalid-input` with each fault and its line. */
export async function readLinkProfile(nameOrFile: string): Promise<LinkProfile> {
  if (isPreset(nameOrFile)) return resolveLinkProfile({ preset: nameOrFile });
  const refuse = (why: string) =>
    `"${nameOrFile}" is not a link profile: name a preset (${linkPresetNames.join(', ')}) or a YAML file (${why})`;
  const input = parse(nameOrFile, await inlineRateTraces(await readTextFile(nameOrFile, refuse), nameOrFile));
  return resolveLinkProfile(input, path.parse(nameOrFile).name);
}

function isPreset(name: string): name is LinkPreset {
  return linkPresetNames.some((preset) => preset === name);
}

function parse(file: string, yaml: string) {
  try {
    return readYaml(yaml, LinkProfileInputSchema);
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.issues.length === 0) throw error;
    const faults = error.issues.map(({ line, path: field, message }) =>
      [`${file}${line === null ? '' : `:${line}`}`, field, message].filter(Boolean).join(': '),
    );
    throw new AppError('invalid-input', faults.join('\n'), { cause: error });
  }
}

/**
 * Ends every `testbed up` that this user may end, and removes what killed testbeds have left. Those of a demo, a test or a shell are left to these. Who is not root has rootless
 * testbeds only, which leave nothing.
 */
async function endTestbeds({ isJson, say }: { isJson: boolean; say: (line: string) => void }): Promise<void> {
  const isRoot = process.getuid!() === 0;
  const owners = new Map(
    [...(isRoot ? listNamespaces().map(({ owner }) => owner) : []), ...listRootless()].map((owner) => [
      owner.pid,
      owner,
    ]),
  );
  const alive = [...owners.values()].filter(isAlive);
  const [held, others] = [alive.filter(isHeldByUp), alive.filter((owner) => !isHeldByUp(owner))];
  for (const { pid } of held) process.kill(pid, 'SIGTERM');
  await untilGone(held);
  const removed = isRoot ? await removeLeftovers() : [];

  for (const { pid } of others) say(`The testbed of process ${pid} is in use and stays`);
  const ended = held.map(({ pid }) => pid);
  if (isJson) process.stdout.write(`${JSON.stringify({ ended, removed, stay: others.map(({ pid }) => pid) })}\n`);
  else say([`${ended.length} testbeds were ended`, `${removed.length} leftover namespaces were removed`].join('; '));
}

/** By its command line: `… testbed up …`. */
function isHeldByUp({ pid }: Owner): boolean {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words[words.indexOf('testbed') + 1] === 'up' && words.includes('testbed');
}

async function untilGone(owners: Owner[]): Promise<void> {
  const deadlineMs = performance.now() + endWithinMs;
  while (owners.some(isAlive)) {
    if (performance.now() > deadlineMs) {
      const pids = owners.filter(isAlive).map(({ pid }) => pid);
      throw new AppError(
        'testbed-failed',
        `Processes ${pids.join(', ')} did not end within ${endWithinMs / 1000} s: end them with kill -9, then try again`,
      );
    }
    await pause(pollMs);
  }
}

/** A testbed that is up. */
interface OpenTestbed {
  network: TestbedNetwork;
  backend: LinkBackend;
  profile: LinkProfile;
  /** Null without one. */
  origin: OriginProcess | null;
}

/** What a check found of one figure of the link, in a line. */
export function describeFinding({ figure, unit, measured, expected, low, high, isWithin }: LinkFinding): string {
  const digits = unit === 'packets lost' ? 0 : 2;
  const measuredText = measured === null ? 'no packets arrived' : measured.toFixed(digits);
  return `${isWithin ? 'ok' : 'WRONG'}: ${figure} ${measuredText} ${unit}, ${expected.toFixed(digits)} expected (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Why a link is not what its profile says: the figures that are wrong. */
export function explainMismatch({ name }: Pick<LinkProfile, 'name'>, findings: readonly LinkFinding[]): string {
  const wrong = findings.filter(({ isWithin }) => !isWithin);
  return `The link does not match ${name}: ${wrong.map(describeFinding).join('; ')}`;
}
