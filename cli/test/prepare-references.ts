import { spawnSync } from 'node:child_process';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { frontTools } from '#testbed/origin/front/run-caddy.ts';
import { findMissingVariantPackages, findVariantObstacle } from '#testbed/tcp/variants/provided-variants.ts';
import { tryInstallPackages } from '../install-packages.ts';
import { prepareFront } from '../origin/run-origin.ts';

/** The programs that packet statistics and captures are held against, and those of tunnels, transport PEPs and hosts over SSH, with Debian's package of each. */
const references = {
  capinfos: 'tshark',
  tshark: 'tshark',
  tcpdump: 'tcpdump',
  wg: 'wireguard-tools',
  'wireguard-go': 'wireguard-go',
  openvpn: 'openvpn',
  haproxy: 'haproxy',
  nft: 'nftables',
  sshd: 'openssh-server',
  ssh: 'openssh-client',
} as const;

/** What boots a kernel with netem and all TCP variants. Debian has it for amd64 and i386 only: without it only those tests are skipped that need it. */
export const kernelTools = { 'linux.uml': 'user-mode-linux', modprobe: 'kmod', cc: 'gcc' } as const;

interface Progress {
  say: (line: string) => void;
  signal: AbortSignal;
}

/** The programs that the examples of custom analyses use. */
const analysisTools = { Rscript: 'r-base-core', python3: 'python3' } as const;
/** What several Controllers may have before their database. */
const pooler = { pgbouncer: 'pgbouncer' } as const;

/** Brings what the `db` tests run beside PostgreSQL, when this is root on a Debian; says what is missing all the same. */
export async function prepareAnalysis(progress: Progress): Promise<void> {
  const missing = await bring(analysisTools, progress);
  if (missing !== null) progress.say(`SKIPPED: the examples of custom analyses: ${missing}`);
  const hadPooler = findMissingTools(pathWithTools(process.env), pooler).length === 0;
  const missingPooler = await bring(pooler, progress);
  if (missingPooler !== null) progress.say(`SKIPPED: PgBouncer before the database: ${missingPooler}`);
  // Its package serves the databases of this machine, which nobody asked for.
  if (!hadPooler) spawnSync('systemctl', ['disable', '--now', 'pgbouncer.service'], { stdio: 'ignore' });
}

/** The proxies of studies. */
const referenceProxies = { ziproxy: 'ziproxy', squid: 'squid', nghttpx: 'nghttp2-proxy' } as const;

/** Brings what the `e2e` tests of studies run beside HTTP-AE, when this is root on a Debian; says what is missing all the same. */
export async function prepareProxies(progress: Progress): Promise<void> {
  const missing = await bring(referenceProxies, progress);
  if (missing !== null) progress.say(`SKIPPED: the studies that need a proxy: ${missing}`);
  await prepareVariantTools(progress);
}

/** Brings what the `browser` and `testbed` tests of HTTP/3 run, when this is root on a Debian; says what is missing all the same. */
export async function prepareHttp3(progress: Progress): Promise<void> {
  await prepareFront(progress);
  const missing = findMissingTools(pathWithTools(process.env), frontTools);
  if (missing.length > 0)
    progress.say(`SKIPPED: the tests of HTTP/3: ${missing.join(', ')} not found: install ${missing.join(' ')}`);
}

/** Brings them, when this is root on a Debian. Returns what of the first is missing all the same, if so; says what of the second is. */
export async function prepareReferences(progress: Progress): Promise<string | null> {
  const missingKernel = await bring(kernelTools, progress);
  if (missingKernel !== null)
    progress.say(`SKIPPED: the tests that need a kernel with netem and every TCP variant: ${missingKernel}`);
  await prepareVariantTools(progress);
  return await bringReferences(progress);
}

async function bringReferences(progress: Progress): Promise<string | null> {
  const hadSshd = findMissingTools(pathWithTools(process.env), { sshd: references.sshd }).length === 0;
  const missing = await bring(references, progress);
  // Its package lets people log in to this machine, which nobody asked for.
  if (!hadSshd) spawnSync('systemctl', ['disable', '--now', 'ssh.service'], { stdio: 'ignore' });
  return missing;
}

/** Brings what compiles TCP variants, when this is root on a Debian; says why they cannot be had all the same. */
async function prepareVariantTools(progress: Progress): Promise<void> {
  const packages = findMissingVariantPackages(pathWithTools(process.env));
  if (packages.length > 0) await tryInstallPackages(packages, progress);
  const obstacle = findVariantObstacle();
  if (obstacle !== null) progress.say(`SKIPPED: the tests of TCP variants as BPF: ${obstacle}`);
}

async function bring(tools: Readonly<Record<string, string>>, progress: Progress): Promise<string | null> {
  const searchPath = pathWithTools(process.env);
  const packages = [...new Set(Object.values(tools))];
  if (findMissingTools(searchPath, tools).length > 0) await tryInstallPackages(packages, progress);
  const missing = findMissingTools(searchPath, tools);
  return missing.length === 0 ? null : `${missing.join(', ')} not found: install ${packages.join(' ')}`;
}
