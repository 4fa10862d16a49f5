/** Of `up` and `demo`, where no other is asked for. */
export const defaultPort = 8420;
