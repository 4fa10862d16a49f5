import { createRequire } from 'node:module';
import { AppError } from '#core/app-error.ts';

/** The part of node-pcap that is used. Its own types bring those of Node 10 with them. */
interface PcapModule {
  warningHandler: (warning: string) => void;
  createSession(
    device: string,
    options: { filter: string; buffer_size: number; buffer_timeout: number; snap_length: number },
  ): PcapSession;
}

interface PcapSession {
  on(event: 'packet', listener: (packet: { buf: Buffer; header: Buffer }) => void): void;
  inject(frame: Buffer): void;
  stats(): { ps_recv: number; ps_drop: number };
}

/** An interface whose frames are taken, and into which frames are put. */
export interface PacketPort {
  /** False where the kernel does not take it, as its queue is full or the interface is smaller or down. */
  send(frame: Buffer): boolean;
  /** Frames that came, and that came too fast to be read. */
  statistics(): { receivedPackets: number; missedPackets: number };
}

export interface PacketPortOptions {
  interface: string;
  /** Only frames from this address are taken: not those that are put in. */
  sourceMac: string;
  onFrame: (frame: Buffer, stampEpochMs: number) => void;
}

/** Room for 4 MB of frames between two readings: 2000 full ones, some 30 ms at 500 Mb/s. */
const bufferBytes = 4 * 1024 * 1024;
const snapBytes = 65_535;

/** Throws `testbed-refused` when the addon is not there: it is made at installation, where libpcap and a compiler are. */
export function openPacketPort({ interface: name, sourceMac, onFrame }: PacketPortOptions): PacketPort {
  const session = loadPcap().createSession(name, {
    filter: `ether src ${sourceMac}`,
    buffer_size: bufferBytes,
    buffer_timeout: 0, // immediate: each frame is passed on as it comes
    snap_length: snapBytes,
  });
  session.on('packet', ({ buf, header }) => {
    const stampEpochMs = header.readUInt32LE(0) * 1000 + header.readUInt32LE(4) / 1000;
    onFrame(Buffer.from(buf.subarray(0, header.readUInt32LE(8))), stampEpochMs); // the buffer is used again for the next frame
  });
  return {
    send: (frame) => {
      try {
        session.inject(frame);
        return true;
      } catch {
        return false; // the addon does not say why
      }
    },
    statistics: () => {
      const { ps_recv: receivedPackets, ps_drop: missedPackets } = session.stats();
      return { receivedPackets, missedPackets };
    },
  };
}

export function loadPcap(): PcapModule {
  try {
    const pcap = createRequire(import.meta.url)('pcap') as PcapModule;
    // It warns that the interface has no IPv4 address, as is right for those of `satellite`.
    pcap.warningHandler = () => undefined;
    return pcap;
  } catch (cause) {
    throw new AppError(
      'testbed-refused',
      `This kernel has no netem, and the packet addon that replaces it was not built (${(cause as Error).message.split('\n')[0]!}). Install libpcap-dev, g++, make and python3, then start ./http-ae again`,
      { cause },
    );
  }
}
