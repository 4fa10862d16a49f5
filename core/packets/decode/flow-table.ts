import { readInt32, readUint16 } from './byte-order.ts';
import type { DecodedPacket } from './decoded-packet.ts';

/** Four words for each address, one for the ports, one for the IP version. */
const keyWords = 10;

/**
 * Finds the flow of a packet by its two endpoints, in either direction: an open-addressing hash table of numbers, so that
 * looking up allocates nothing. Flows are numbered by the caller; a number may be replaced when a pair of endpoints begins again.
 */
export class FlowTable {
  #slots = new Int32Array(1024).fill(-1);
  #keys = new Int32Array(256 * keyWords);
  #keyCount = 0;
  /** The number of the flow that each key leads to. */
  readonly #flows: number[] = [];
  readonly #wanted = new Int32Array(keyWords);
  #foundKey = -1;
  /** Of the last packet looked up: whether its source is the flow's first endpoint, the lower of the two. */
  isForward = false;

  /** The flow of the packet, if it has been seen. `set` then numbers the same packet's flow. */
  find(bytes: Uint8Array, packet: DecodedPacket): number | undefined {
    this.#readKey(bytes, packet);
    if (this.#foundKey === -1 || !this.#isKey(this.#foundKey)) this.#foundKey = this.#slots[this.#findSlot()]!;
    return this.#foundKey === -1 ? undefined : this.#flows[this.#foundKey];
  }

  /** Numbers the flow of the packet that was looked up last. */
  set(flow: number): void {
    if (this.#foundKey === -1) this.#foundKey = this.#addKey();
    this.#flows[this.#foundKey] = flow;
  }

  #readKey(bytes: Uint8Array, packet: DecodedPacket): void {
    const wanted = this.#wanted;
    const { sourceOffset, destinationOffset, transportOffset } = packet;
    const addressWords = packet.ipVersion === 4 ? 1 : 4;
    const sourcePort = readUint16(bytes, transportOffset);
    const destinationPort = readUint16(bytes, transportOffset + 2);
    let order = 0;
    for (let index = 0; index < 4 * addressWords && order === 0; index++)
      order = bytes[sourceOffset + index]! - bytes[destinationOffset + index]!;
    if (order === 0) order = sourcePort - destinationPort;
    this.isForward = order <= 0;
    const low = this.isForward ? sourceOffset : destinationOffset;
    const high = this.isForward ? destinationOffset : sourceOffset;
    for (let word = 0; word < 4; word++) {
      wanted[word] = word < addressWords ? readInt32(bytes, low + 4 * word) : 0;
      wanted[4 + word] = word < addressWords ? readInt32(bytes, high + 4 * word) : 0;
    }
    wanted[8] = this.isForward ? (sourcePort << 16) | destinationPort : (destinationPort << 16) | sourcePort;
    wanted[9] = packet.ipVersion;
  }

  #isKey(key: number): boolean {
    const start = key * keyWords;
    for (let word = 0; word < keyWords; word++) if (this.#keys[start + word] !== this.#wanted[word]) return false;
    return true;
  }

  #findSlot(): number {
    const mask = this.#slots.length - 1;
    let slot = hash(this.#wanted, 0) & mask;
    while (this.#slots[slot] !== -1 && !this.#isKey(this.#slots[slot]!)) slot = (slot + 1) & mask;
    return slot;
  }

  #addKey(): number {
    const key = this.#keyCount++;
    if (this.#keyCount * keyWords > this.#keys.length) this.#keys = grow(this.#keys);
    this.#keys.set(this.#wanted, key * keyWords);
    if (2 * this.#keyCount > this.#slots.length) this.#rehash();
    else this.#slots[this.#findSlot()] = key;
    return key;
  }

  #rehash(): void {
    this.#slots = new Int32Array(4 * this.#slots.length).fill(-1);
    const mask = this.#slots.length - 1;
    for (let key = 0; key < this.#keyCount; key++) {
      let slot = hash(this.#keys, key * keyWords) & mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
      this.#slots[slot] = key;
    }
  }
}

function grow(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * words.length);
  larger.set(words);
  return larger;
}

/** Murmur3's way of mixing. */
function hash(words: Int32Array, start: number): number {
  let mixed = 0;
  for (let word = 0; word < keyWords; word++) {
    mixed ^= Math.imul(words[start + word]!, 0xcc9e2d51);
    mixed = Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0x6b64e654;
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
