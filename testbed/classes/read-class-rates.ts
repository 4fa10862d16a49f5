const bitsPerUnit: Record<string, number> = { bit: 1, Kbit: 1e3, Mbit: 1e6, Gbit: 1e9 };

/** The guaranteed rate of each class by its id, as `tc class show` prints it. tc has JSON for this only in later versions. */
export function readClassRates(output: string): ReadonlyMap<string, number> {
  const found = output.matchAll(/^class htb (\S+) .*?\brate (\d+)([KMG]?bit)\b/gm);
  return new Map([...found].map(([, id, number, unit]) => [id!, (Number(number) * bitsPerUnit[unit!]!) / 1000]));
}
