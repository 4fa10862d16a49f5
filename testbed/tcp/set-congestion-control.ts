import { AppError } from '#core/app-error.ts';
import { orRefuse, type Enter } from '../namespaces/run-tool.ts';
import { withMachineLock } from '../namespaces/with-machine-lock.ts';
import { readSetting, writeSetting } from './kernel-setting.ts';
import { ownVariants } from './variants/own-variants.ts';

const current = 'net/ipv4/tcp_congestion_control';
const available = 'net/ipv4/tcp_available_congestion_control';
const allowed = 'net/ipv4/tcp_allowed_congestion_control';
/** Where this process is, which must be the machine's own network. */
const here: Enter = [];

/** The variants that the kernel has: built in, loaded as a module, or registered as BPF. */
export async function listVariants(enter: Enter): Promise<string[]> {
  return (await readSetting(enter, available)).split(' ');
}

/** Throws `testbed-refused` when the kernel has no such variant. */
export async function requireVariant(enter: Enter, variant: string): Promise<void> {
  const variants = await listVariants(enter);
  if (variants.includes(variant)) return;
  throw new AppError(
    'testbed-refused',
    `This kernel has no TCP variant "${variant}", only ${variants.join(', ')}. If it was built with ${variant}, load it with "sudo modprobe tcp_${variant}". As root, HTTP-AE brings ${ownVariants.join(', ')}`,
  );
}

/** The variant of connections that are made from now on, also of those that come to a listener that is there already. Disposing puts the former one back. */
export async function setCongestionControl(enter: Enter, variant: string): Promise<AsyncDisposable> {
  const former = await readSetting(enter, current);
  await choose(enter, variant);
  return { [Symbol.asyncDispose]: () => choose(enter, former) };
}

/** All testbeds of the machine change one list of what it allows. */
function choose(enter: Enter, variant: string): Promise<void> {
  return withMachineLock('allowed TCP variants', () => chooseAlone(enter, variant));
}

/** A namespace may choose only what the machine allows to everybody: the variant is allowed for as long as that takes. */
async function chooseAlone(enter: Enter, variant: string): Promise<void> {
  const formerlyAllowed = await readSetting(enter, allowed);
  if (formerlyAllowed.split(' ').includes(variant)) return writeSetting(enter, { name: current, value: variant });
  await allow(`${formerlyAllowed} ${variant}`);
  try {
    await writeSetting(enter, { name: current, value: variant });
  } finally {
    await allow(formerlyAllowed);
  }
}

async function allow(variants: string): Promise<void> {
  await orRefuse(
    writeSetting(here, { name: allowed, value: variants }),
    () =>
      `This process may not choose this TCP variant: allow it on the machine itself with "sudo sysctl ${allowed.replaceAll('/', '.')}='${variants}'"`,
  );
}
