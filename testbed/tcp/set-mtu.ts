import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';

const InterfacesSchema = z.tuple([z.object({ mtu: z.number(), addr_info: z.array(z.object({ family: z.string() })) })]);
/** RFC 8200, 5. The kernel takes the IPv6 addresses from an interface with less, for good. */
const leastIpv6Bytes = 1280;

/** The largest packet that an interface sends. Disposing puts the former size back. */
export async function setMtu(
  enter: Enter,
  { interface: name, bytes }: { interface: string; bytes: number },
): Promise<AsyncDisposable> {
  const [{ mtu: formerBytes, addr_info: addresses }] = InterfacesSchema.parse(
    JSON.parse(await runIn(enter, 'ip', '-json', 'address', 'show', 'dev', name)),
  );
  if (bytes < leastIpv6Bytes && addresses.some(({ family }) => family === 'inet6')) {
    throw new AppError(
      'testbed-refused',
      `mtuBytes: ${name} has IPv6 addresses, which it would lose below ${leastIpv6Bytes} bytes: set at least that, or remove the addresses`,
    );
  }
  const set = async (mtu: number) => {
    await runIn(enter, 'ip', 'link', 'set', 'dev', name, 'mtu', `${mtu}`);
  };
  await set(bytes);
  return { [Symbol.asyncDispose]: () => set(formerBytes) };
}
