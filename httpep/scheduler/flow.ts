/** The order within a user: pages first, then what holds up their drawing, then the rest. */
export const ranks = { page: 0, blocking: 1, other: 2 } as const;

export type Rank = (typeof ranks)[keyof typeof ranks];

/** One answer on its way to a user. */
export interface Flow {
  user: string;
  userClass: string;
  rank: Rank;
  /** Order of arrival, unique. */
  order: number;
}
