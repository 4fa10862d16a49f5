/**
 * What the analysis found in a segment, as bits. The names and rules are those of Wireshark's TCP analysis
 * (https://www.wireshark.org/docs/wsug_html_chunked/ChAdvTCPAnalysis.html), so that the counts can be held against it.
 */
export const findings = {
  retransmission: 1,
  fastRetransmission: 2,
  spuriousRetransmission: 4,
  outOfOrder: 8,
  duplicateAck: 16,
  zeroWindow: 32,
  zeroWindowProbe: 64,
  zeroWindowProbeAck: 128,
  keepAlive: 256,
  keepAliveAck: 512,
  windowUpdate: 1024,
  lostSegment: 2048,
} as const;

export const anyRetransmission =
  findings.retransmission | findings.fastRetransmission | findings.spuriousRetransmission;
