/** The port of `up` and `demo`, unless another is requested. */
export const defaultPort = 8420;
