import { z } from 'zod';
import { runIn, type Enter } from '../namespaces/run-in.ts';

const InterfacesSchema = z.tuple([
  z.object({
    link_type: z.string(),
    stats64: z.object({ tx: z.object({ packets: z.number(), bytes: z.number() }) }),
  }),
]);
const ethernetHeaderBytes = 14;

/** What an interface has sent, as IP packets. The kernel counts them where they leave, cut to their size on the wire. */
export async function readSentTraffic(enter: Enter, name: string): Promise<{ packets: number; ipBytes: number }> {
  const output = await runIn(enter, 'ip', '-json', '-statistics', 'link', 'show', 'dev', name);
  const [{ link_type: type, stats64 }] = InterfacesSchema.parse(JSON.parse(output));
  const { packets, bytes } = stats64.tx;
  return { packets, ipBytes: type === 'ether' ? bytes - ethernetHeaderBytes * packets : bytes };
}
