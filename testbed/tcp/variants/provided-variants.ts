import { runTool, ToolError } from '../../namespaces/run-tool.ts';
import { userNamespaceMark } from '../../namespaces/enter-user-namespace.ts';
import { listVariants } from '../set-congestion-control.ts';
import { isOwnVariant, type OwnVariant } from './own-variants.ts';
import { refuseWithoutVariantTools } from './variant-tools.ts';
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
