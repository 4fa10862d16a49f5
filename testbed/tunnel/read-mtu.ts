import { z } from 'zod';
import { runIn, type Enter } from '../namespaces/run-in.ts';

const InterfacesSchema = z.tuple([z.object({ mtu: z.number() })]);

/** The largest packet that an interface sends. */
export async function readMtu(enter: Enter, name: string): Promise<number> {
  const [{ mtu }] = InterfacesSchema.parse(JSON.parse(await runIn(enter, 'ip', '-json', 'link', 'show', 'dev', name)));
  return mtu;
}
