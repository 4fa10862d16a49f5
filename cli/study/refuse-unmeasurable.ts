import { AppError } from '#core/app-error.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listTcpVariants } from '#core/evaluation/network/network.ts';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { firefoxKind } from '../browser-kinds.ts';
import { findBrowser, findPresentBrowser } from '../find-browser.ts';
import { tryInstallPackages } from '../install-packages.ts';
import { findTestbedObstacle } from '../testbed/find-testbed-obstacle.ts';
import { requireVariant } from '#testbed/tcp/set-congestion-control.ts';
import { ProvidedVariants, findMissingVariantPackages } from '#testbed/tcp/variants/provided-variants.ts';

/** The Debian packages of programs that have another name. */
const packageOf: Record<string, string> = { nghttpx: 'nghttp2-proxy', nft: 'nftables', wg: 'wireguard-tools' };

export interface StudyBrowsers {
  chromePath: string;
  firefoxPath: string | null;
}

/**
 * Finds the browsers of a study, and installs the programs that its parts name or need for their TCP variants, as Debian's packages. Throws, before anything is started, where this machine lacks what its parts need: `testbed-refused` without Linux, root, a TCP variant
 * or a program, `browser-missing`.
 */
export async function refuseUnmeasurable(
  study: string,
  parts: readonly { evaluation: Evaluation; programs: readonly string[] }[],
  progress: { homeFolder: string; say: (line: string) => void; signal: AbortSignal },
): Promise<StudyBrowsers> {
  if (process.platform === 'linux' && process.getuid!() !== 0)
    throw new AppError(
      'testbed-refused',
      `The study "${study}" needs root, for its emulated link and its users. Run "sudo -E ./http-ae study run ${study}"`,
    );
  const obstacle = await findTestbedObstacle(progress);
  if (obstacle !== null)
    throw new AppError('testbed-refused', `The study "${study}" cannot run on this machine: ${obstacle}`);
  const evaluations = parts.map(({ evaluation }) => evaluation);
  const networks = evaluations.flatMap(({ scenarios }) => scenarios.flatMap(({ network }) => network ?? []));
  await prepareVariants(new Set(networks.flatMap(listTcpVariants)), progress);
  const programs = new Set(parts.flatMap((part) => part.programs));
  const findMissing = () =>
    findMissingTools(
      pathWithTools(process.env),
      Object.fromEntries([...programs].map((program) => [program, program])),
    );
  const packages = findMissing().map((program) => packageOf[program] ?? program);
  if (packages.length > 0) await tryInstallPackages(packages, progress);
  const missing = findMissing();
  if (missing.length > 0)
    throw new AppError(
      'testbed-refused',
      `The study "${study}" needs ${missing.join(', ')}. Install it (Debian: sudo apt-get install ${packages.join(' ')})`,
    );

  const search = { ...progress, environment: process.env, platform: process.platform };
  const chromePath = await findBrowser(search);
  const needsFirefox = evaluations.some(({ userAgents }) => userAgents.some(({ engine }) => engine === 'firefox'));
  const firefoxPath = needsFirefox ? await findPresentBrowser(search, firefoxKind) : null;
  if (needsFirefox && firefoxPath === null)
    throw new AppError(
      'browser-missing',
      `The study "${study}" needs Firefox. Install it (Debian: sudo apt-get install ${firefoxKind.debianPackage}), or set ${firefoxKind.variable} to its path`,
    );
  return { chromePath, firefoxPath };
}

/**
 * Finds out, by trying, whether this machine can have TCP variants. Installs what compiles them when it is missing, one of them needs it, and this is root on a
 * Debian. Throws `testbed-refused` or `testbed-failed`.
 */
async function prepareVariants(
  variants: Iterable<string>,
  progress: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  await using provided = new ProvidedVariants({
    beforeCompiling: async () => {
      const missing = findMissingVariantPackages(process.env.PATH ?? '');
      if (missing.length > 0) await tryInstallPackages(missing, progress);
    },
  });
  for (const variant of variants) {
    await provided.provide(variant);
    await requireVariant([], variant);
  }
}
