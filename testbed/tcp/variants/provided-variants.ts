import { runTool, ToolError } from '../../namespaces/run-tool.ts';
import { userNamespaceMark } from '../../namespaces/enter-user-namespace.ts';
import { listVariants } from '../set-congestion-control.ts';
import { isOwnVariant } from './own-variants.ts';
import { registerVariant } from './register-variant.ts';
import { refuseWithoutVariantTools } from './variant-tools.ts';

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
