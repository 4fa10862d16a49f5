import { hostname } from 'node:os';
import type { BlockList } from 'node:net';
import path from 'node:path';
import type { Logger } from 'pino';
import { readMachineId } from '#agent/host/read-host-facts.ts';
import { makeOwnerToken } from '#controller/people/entrance.ts';
import { makeSecret } from '#controller/people/secret.ts';
import { startController, type Controller, type ControllerOptions } from '#controller/start-controller.ts';
import { AppError } from '#core/app-error.ts';
import { readLocalAccess, localAccessFile, type LocalAccess } from '../controller/controller-access.ts';
import { joinFromPage } from '../hosts/join-from-page.ts';
import { openTokenLedger, type TokenLedger, isHeld } from '../home/token-ledger.ts';
import { packageRoot } from '../installation.ts';
import { OwnTestbed } from '../testbed/own-testbed.ts';
import { rename, rm, writeFile } from 'node:fs/promises';
import { readArtefactsUrl, type BucketAddress } from '#controller/captures/artefacts/artefacts-url.ts';

export interface OpenController extends AsyncDisposable {
  controller: Controller;
  /** An api token, valid until disposed of. */
  token: string;
  /** For further tokens that are valid until disposed of. */
  ledger: TokenLedger;
}

interface OpenOptions {
  databaseUrl: string;
  listenDatabaseUrl: string;
  databaseFolder?: string | undefined;
  host: string;
  port: number;
  publicUrl?: string | undefined;
  trustedProxies?: BlockList | undefined;
  homeFolder: string;
  /** In the home folder when left out. */
  artefacts?: ArtefactsChoice;
  maximumTraceBytes: number | undefined;
  oneRunAtATime?: boolean;
  /** Whether people may start a testbed on this machine. */
  offersTestbed?: boolean;
  /** Null: none. */
  webhookUrl?: string | null;
  /** Whether its page joins hosts over SSH, from this machine. */
  joinsHosts?: boolean;
  log: Logger;
  signal: AbortSignal;
}

/** Starts a Controller with its web UI, and lets the commands of this user on this machine in. */
export async function openController(options: OpenOptions): Promise<OpenController> {
  const { homeFolder } = options;
  const testbed = options.offersTestbed ? new OwnTestbed(homeFolder) : null;
  const ownerToken = makeOwnerToken(makeSecret());
  await using started = new AsyncDisposableStack();
  const announced = Promise.withResolvers<LocalAccess>();
  const hostJoining = options.joinsHosts ? joinFromPage({ homeFolder, access: announced.promise }) : null;
  const controller = started.use(await start({ ...options, testbed, hostJoining }, ownerToken));
  const ledger = started.use(
    await openTokenLedger({ homeFolder, instanceId: controller.instanceId, pool: controller.pool }),
  );
  if (testbed !== null) {
    testbed.connect({ controllerUrl: controller.localUrl, ledger });
    started.use(testbed);
  }
  const token = await ledger.issue({ name: `Commands on ${hostname()}`, scope: 'api' });
  const access = { url: controller.localUrl, publicUrl: controller.url, token, ownerToken, holder: ledger.holder };
  announced.resolve(access);
  started.use(await announceController(homeFolder, access));

  const stack = started.move();
  return { controller, token, ledger, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A port that this user's own Controller has is no fault: what is wanted is then mostly a way in. */
async function start(
  { homeFolder, artefacts, ...options }: OpenOptions & Pick<ControllerOptions, 'testbed' | 'hostJoining'>,
  ownerToken: string,
): Promise<Controller> {
  try {
    return await startController({
      ...options,
      ownerToken,
      machineId: readMachineId(),
      artefactsFolder: artefacts?.folder ?? path.join(homeFolder, 'artefacts'),
      bucket: artefacts?.bucket,
      webUiFolder: path.join(packageRoot, 'web-ui', 'dist'),
    });
  } catch (error) {
    const running = error instanceof AppError && error.code === 'port-taken' ? await readLocalAccess(homeFolder) : null;
    if (running === null || Number(new URL(running.url).port) !== options.port) throw error;
    throw new AppError(
      'port-taken',
      `HTTP-AE already runs at ${running.url}: "./http-ae link" prints a sign-in link for it; --port with another port starts a second one`,
      { cause: error },
    );
  }
}

/**
 * Lets `evaluate` and `export` of this user find the Controller without flags, until disposed of. Of several Controllers the
 * one started last is found; when it stops, the one it replaced is found again, unless that was killed.
 */
export async function announceController(homeFolder: string, access: LocalAccess): Promise<AsyncDisposable> {
  const file = localAccessFile(homeFolder);
  const earlier = await readLocalAccess(homeFolder);
  await replace(file, access);
  return {
    async [Symbol.asyncDispose]() {
      if ((await readLocalAccess(homeFolder))?.holder !== access.holder) return;
      if (earlier !== null && isHeld(homeFolder, earlier.holder)) await replace(file, earlier);
      else await rm(file);
    },
  };
}

/** Never readable by others, not even while it is written, and never half there. */
async function replace(file: string, access: LocalAccess): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

interface ArtefactsChoice {
  /** Where traces and pictures are kept, or are on their way to the bucket. */
  folder: string;
  bucket?: BucketAddress;
}

/** Where ARTEFACTS_URL says; in the home folder without it. Throws `invalid-input`. */
export function chooseArtefacts({
  homeFolder,
  environment,
}: {
  homeFolder: string;
  environment: NodeJS.ProcessEnv;
}): ArtefactsChoice {
  const folder = path.join(homeFolder, 'artefacts');
  const chosen = readArtefactsUrl(environment);
  if (chosen === null) return { folder };
  return chosen.kind === 'folder' ? { folder: chosen.folder } : { folder, bucket: chosen.address };
}
