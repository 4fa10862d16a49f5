/** RFC 7323, 2.3. */
const largestScale = 14;

/** The window scale that the kernel chooses for a largest window: the least that lets 16 bits hold it (tcp_select_initial_window). */
export function windowScale(bytes: number): number {
  return Math.min(largestScale, Math.max(0, Math.floor(Math.log2(bytes)) - 15));
}

/** The number in the window field of a packet for so many bytes. SYN packets are not scaled (RFC 7323, 2.2). */
export function windowField(bytes: number, scale: number): number {
  return Math.min(0xffff, Math.floor(bytes / 2 ** scale));
}

/** The kernel counts what packets take, headers and unused room included: twice the payload is enough for full packets. */
export function receiveMemoryBytes(windowBytes: number): number {
  return 2 * windowBytes;
}
