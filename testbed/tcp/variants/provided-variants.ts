import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { findMissingTools } from '../../namespaces/require-tools.ts';
import { runTool, ToolError } from '../../namespaces/run-tool.ts';
import { userNamespaceMark } from '../../namespaces/enter-user-namespace.ts';
import { listVariants } from '../set-congestion-control.ts';
import { isOwnVariant, type OwnVariant } from './own-variants.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AppError } from '#core/app-error.ts';

/** The TCP variants that were registered for one testbed. They are gone with it; where another testbed still uses one, it keeps what it uses. */
export class ProvidedVariants implements AsyncDisposable {
  readonly #registered = new AsyncDisposableStack();
  readonly #beforeCompiling: () => Promise<void>;

  /** `beforeCompiling` may install what is missing for that. */
  constructor({ beforeCompiling = async () => {} }: { beforeCompiling?: () => Promise<void> } = {}) {
    this.#beforeCompiling = beforeCompiling;
  }

  /**
   * Lets the kernel have a variant if it can: as a module of its own, or else as ours in BPF. Leaves alone what the kernel has already, and
   * what is neither. Throws `testbed-refused` or `testbed-failed`.
   */
  async provide(variant: string): Promise<void> {
    if (await isAvailable(variant)) return;
    await loadModule(variant);
    if (!isOwnVariant(variant) || (await isAvailable(variant))) return;
    await this.#beforeCompiling();
    refuseWithoutVariantTools(variant);
    try {
      this.#registered.use(await registerVariant(variant));
    } catch (error) {
      if (!(await isAvailable(variant))) throw error; // otherwise another testbed was first
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#registered.disposeAsync();
  }
}

async function isAvailable(variant: string): Promise<boolean> {
  return (await listVariants([])).includes(variant);
}

/** No fault where there is no such module, or none may be loaded. */
async function loadModule(variant: string): Promise<void> {
  if (process.env[userNamespaceMark] !== undefined) return;
  try {
    await runTool('modprobe', '--quiet', `tcp_${variant}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}

/**
 * Registers a variant with the kernel, for the whole machine. Disposing takes it away again, and so does the end of this process, however it
 * ends. Throws `testbed-failed` when the kernel does not take it, also because another process has registered one of that name.
 */
async function registerVariant(variant: OwnVariant): Promise<AsyncDisposable> {
  // It ends with its standard input.
  const child = spawn('sh', [path.join(import.meta.dirname, 'register.sh'), variant], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // it has ended, which is seen below
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [unknown];
  if (line !== 'registered')
    throw new AppError(
      'testbed-failed',
      `The TCP variant "${variant}" cannot be loaded as BPF: ${findReason(await errors)}`,
    );
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** What the compiler complained of first, or else what came last: the kernel says at length what it looked at before. */
function findReason(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => / error: /.test(line)) ?? lines.at(-1)!;
}

/** Where the kernel describes its structures. */
const kernelTypes = '/sys/kernel/btf/vmlinux';
const libraryHeader = '/usr/include/bpf/libbpf.h';

/** Registrations that end with their owner are in Linux since then. */
const firstWithLinks = [6, 4] as const;

/** Debian's packages that are missing on this machine to compile a variant. */
export function findMissingVariantPackages(searchPath: string): string[] {
  return [
    ...(findMissingTools(searchPath, { clang: 'clang' }).length > 0 ? ['clang'] : []),
    ...(existsSync(libraryHeader) ? [] : ['libbpf-dev']),
  ];
}

/** Throws `testbed-refused` where variants cannot be loaded as BPF, with what to do. */
function refuseWithoutVariantTools(variant: string): void {
  const obstacle = findVariantObstacle();
  if (obstacle === null) return;
  throw new AppError(
    'testbed-refused',
    `This kernel has no TCP variant "${variant}". HTTP-AE can load it as BPF, but ${obstacle}`,
  );
}

/** Why variants cannot be loaded as BPF here; null where they can. */
export function findVariantObstacle(searchPath = process.env.PATH ?? ''): string | null {
  if (process.getuid!() !== 0 || process.env[userNamespaceMark] !== undefined)
    return 'that needs root: run the testbed with sudo';
  if (!hasLinks(release()))
    return `Linux ${release()} is too old for that: use Linux ${firstWithLinks.join('.')} or later, or a kernel that has the module`;
  if (!existsSync(kernelTypes))
    return `the kernel does not describe its types (${kernelTypes}): use one that is built with CONFIG_DEBUG_INFO_BTF`;
  const missing = findMissingVariantPackages(searchPath);
  if (missing.length === 0) return null;
  return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed (Debian, Ubuntu: sudo apt-get install ${missing.join(' ')})`;
}

/** By a version such as "6.1.0-38-amd64". */
export function hasLinks(kernelVersion: string): boolean {
  const [major = 0, minor = 0] = kernelVersion.split(/[.-]/).map(Number);
  return major > firstWithLinks[0] || (major === firstWithLinks[0] && minor >= firstWithLinks[1]);
}
