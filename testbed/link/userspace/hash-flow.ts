const ethernetBytes = 14;
const etherTypes = { ipv4: 0x0800, ipv6: 0x86dd } as const;
const protocolsWithPorts = [6, 17]; // TCP, UDP
/** FNV-1a, 32 bits. */
const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** A number of the flow of an Ethernet frame: of its IP addresses, protocol and, of TCP and UDP, ports. 0 for what is no IP. Fragments after the first have no ports. */
export function hashFlow(frame: Buffer, seed: number): number {
  if (frame.length < ethernetBytes + 40) return 0;
  const etherType = frame.readUInt16BE(12);
  const ip = frame.subarray(ethernetBytes);
  if (etherType === etherTypes.ipv4) {
    const isLaterFragment = (ip.readUInt16BE(6) & 0x1fff) !== 0;
    return hashParts(ip.subarray(12, 20), {
      protocol: ip[9]!,
      ports: isLaterFragment ? null : ip.subarray((ip[0]! & 0x0f) * 4),
      seed,
    });
  }
  if (etherType === etherTypes.ipv6)
    return hashParts(ip.subarray(8, 40), { protocol: ip[6]!, ports: ip.subarray(40), seed });
  return 0;
}

function hashParts(
  addresses: Buffer,
  { protocol, ports, seed }: { protocol: number; ports: Buffer | null; seed: number },
): number {
  const parts = [addresses, Buffer.of(protocol)];
  if (ports && ports.length >= 4 && protocolsWithPorts.includes(protocol)) parts.push(ports.subarray(0, 4));
  let hash = (offsetBasis ^ seed) >>> 0;
  for (const part of parts) for (const byte of part) hash = Math.imul(hash ^ byte, prime) >>> 0;
  // The low bits of FNV are weak alone.
  return (hash ^ (hash >>> 15)) >>> 0;
}
