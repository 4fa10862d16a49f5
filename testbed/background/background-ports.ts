/** Below those that kernels give to clients. */
export const flowPorts = { 'bulk-download': 25_001, 'bulk-upload': 25_002, video: 25_003 } as const;
export type FlowKind = keyof typeof flowPorts;

/** UDP, of both ends. */
export const pingPort = 25_010;
/** Of the first user; the next ones have the next ports. */
export const voicePort = 25_100;
