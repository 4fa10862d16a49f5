import { isIPv6 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';

export interface ClassesRequest {
  /** Of the link, in the direction that is shared. */
  rateKbps: number;
  /** Of the link: each user gets a queue of its own, of its share of this, and the rest one of all of it. */
  queueBytes: number;
  users: readonly { sourceAddress: string; userClass: string }[];
  /** The shares of the link by user class, in any unit. */
  weights: Readonly<Record<string, number>>;
}

export interface PlannedUser {
  address: string;
  version: 4 | 6;
  guaranteedKbps: number;
  queueBytes: number;
  /** What it sends in its turn when it takes what others leave. */
  quantumBytes: number;
}

export interface PlannedClass {
  userClass: string;
  /** Of the link. */
  shareRatio: number;
  guaranteedKbps: number;
  users: PlannedUser[];
}

export interface ClassPlan {
  /** All classes together, which is also what one alone may have. */
  totalKbps: number;
  /** For what belongs to no user of a class, such as background load: little is guaranteed, and it may take what is left. */
  rest: { guaranteedKbps: number; queueBytes: number };
  classes: PlannedClass[];
}

/** Of the link's rate: just below it, so that packets wait where the classes are distinguished, and not in the link's one queue. */
const usedRatio = 0.98;
/** With what the classes have, still below the link's rate. */
const restRatio = 0.01;
const mostRestKbps = 8;
/** As the least of a link: less would drop the first window of a connection. */
const leastQueueBytes = 10 * largestFrameBytes;
/** TCP hands over two segments at a time, and they are sent together: a smaller turn would be exceeded by all, and favour the small shares. */
const leastQuantumBytes = 2 * largestFrameBytes;
const largestQuantumBytes = 100_000;

/**
 * How a link is shared: each class has its share of the rate, each user of a class an equal part of that, and what is left unused goes
 * to those who want more, in the same proportions. Throws `invalid-input`.
 */
export function planClasses({ rateKbps, queueBytes, users, weights }: ClassesRequest): ClassPlan {
  refuseBadRequest({ rateKbps, users, weights });
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  const totalKbps = rateKbps * usedRatio;
  const shares = Object.entries(weights).map(([userClass, weight]) => {
    // Two User Agents may share an address, and are then one user to the network.
    const members = [
      ...new Set(users.filter((user) => user.userClass === userClass).map(({ sourceAddress }) => sourceAddress)),
    ];
    return { userClass, members, shareRatio: weight / sum, userRatio: weight / sum / members.length };
  });
  const leastRatio = Math.min(...shares.map(({ userRatio }) => userRatio));

  return {
    totalKbps,
    rest: {
      guaranteedKbps: Math.min(mostRestKbps, totalKbps * restRatio),
      queueBytes: Math.max(leastQueueBytes, queueBytes),
    },
    classes: shares.map(({ userClass, members, shareRatio, userRatio }) => ({
      userClass,
      shareRatio,
      guaranteedKbps: totalKbps * shareRatio,
      users: members.map((address) => ({
        address,
        version: isIPv6(address) ? 6 : 4,
        guaranteedKbps: totalKbps * userRatio,
        queueBytes: Math.max(leastQueueBytes, Math.round(queueBytes * userRatio)),
        quantumBytes: Math.min(largestQuantumBytes, Math.round((leastQuantumBytes * userRatio) / leastRatio)),
      })),
    })),
  };
}

function refuseBadRequest({ rateKbps, users, weights }: Omit<ClassesRequest, 'queueBytes'>): void {
  const refuse = (message: string) => {
    throw new AppError('invalid-input', `classes: ${message}`);
  };
  if (!Number.isFinite(rateKbps) || rateKbps <= 0)
    refuse(`the link must have a constant rate, not ${rateKbps} kb/s: set "rateKbps", or remove the classes`);
  if (Object.keys(weights).length === 0)
    refuse('must name at least one user class with its share, such as "gold: 0.5"');
  for (const [userClass, weight] of Object.entries(weights)) {
    if (!Number.isFinite(weight) || weight <= 0) refuse(`the share of "${userClass}" must be above 0, not ${weight}`);
    if (!users.some((user) => user.userClass === userClass))
      refuse(
        `no User Agent with a sourceAddress is of class "${userClass}": set "userClass" of one of them, or remove the class`,
      );
  }
  for (const { sourceAddress, userClass } of users) {
    if (!Object.hasOwn(weights, userClass))
      refuse(
        `"${userClass}", the class of ${sourceAddress}, has no share: add one to those of ${Object.keys(weights).join(', ')}`,
      );
    if (users.some((other) => other.sourceAddress === sourceAddress && other.userClass !== userClass))
      refuse(`users of different classes share the address ${sourceAddress}: give each its own address`);
  }
}
