import { AppError } from '#core/app-error.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { applyClasses } from './apply-classes.ts';

interface ShareLinkOptions {
  profile: LinkProfile;
  users: { sourceAddress: string; userClass: string | null }[];
  weights: Record<string, number>;
  /** By which packets come from an end to the link. */
  entrance: (end: 'ground' | 'remote') => { enter: [string, ...string[]]; interface: string };
}

/** Shares both directions of a link out by user class until that is disposed of. Throws `invalid-input` for a direction that cannot be shared, and as `applyClasses` does. */
export async function shareLink({ profile, users, weights, entrance }: ShareLinkOptions): Promise<AsyncDisposable> {
  await using settings = new AsyncDisposableStack();
  const classified = users.flatMap(({ sourceAddress, userClass }) =>
    userClass === null ? [] : [{ sourceAddress, userClass }],
  );
  for (const [place, direction] of [
    ['ground', 'forward'],
    ['remote', 'return'],
  ] as const) {
    const { rate, queueBytes, queue } = profile[direction];
    if (rate.kind !== 'constant')
      throw new AppError(
        'invalid-input',
        `network.classes: the ${direction} direction of ${profile.name} has no constant rate to share: set one, or remove the classes`,
      );
    if (queue)
      throw new AppError(
        'invalid-input',
        `network.classes: users of classes wait in queues of their own before the link, so "queue: ${queue.kind}" of its ${direction} direction does nothing: remove one of them`,
      );
    settings.use(
      await applyClasses({
        ...entrance(place),
        direction,
        rateKbps: rate.kbps,
        queueBytes,
        users: classified,
        weights,
      }),
    );
  }
  return settings.move();
}
